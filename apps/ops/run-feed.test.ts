import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditRepo } from '#store/postgres/audit/audit.ts';
import { feedStatusWrites } from '#store/postgres/feeds/status.ts';
import metar from '#scheduler/feeds/metar.ts';
import { testContext, testFolder } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { feedFiles } from '#test/support/feed-files.ts';
import { ops } from '#test/support/ops.ts';
import { bareEnvironment } from '#test/support/process.ts';

const script = resolve(import.meta.dirname, 'main.ts');
const env = {
  METAR_URL: 'file:///nowhere/metars.xml',
  METAR_FALLBACK_URL: 'file:///nowhere/{HH}Z.TXT',
};

let t: TestContext;
beforeAll(async () => {
  t = await testContext({ env });
});
afterAll(() => t.close());

const run = (args: string[], context = t) => ops(context, 'feeds run', ...args);

describe('ops feeds run', () => {
  test('Help names the options and the exit statuses', async () => {
    const { status, out, err } = await run(['--help']);
    expect([status, err]).toEqual([0, '']);
    expect(out).toContain('feeds run --feed FEED [--file FILE] [--url URL] [--slot SLOT] [--force]');
    expect(out).toContain('Exit status: 0 stored, 1 failed, 2 usage error, 3 nothing new.');
  });

  test.each([
    [['metars'], 'There is no feed "metars". Did you mean "metar"? Feeds: airports, datis, magvar,'],
    [['metar', 'taf'], '"feeds run" does not take "taf".'],
    [['metar', '--fiel', 'x'], "Unknown option '--fiel'"],
    [['metar', '--url', 'ftp://x'], '--url: must be an http://, https:// or file:// URL'],
    [['metar', '--file', '/nowhere/x'], '/nowhere/x does not exist.'],
    [['metar', '--file', '/', '--url', 'https://x.example'], 'Use --file or --url, not both.'],
  ])('An invalid call %j names the problem and exits with 2', async (args, message) => {
    const { status, out, err } = await run(args);
    expect([status, out]).toEqual([2, '']);
    expect(err.startsWith(message) ? message : err).toBe(message);
  });

  test('The process stores a file with status 0 and one line, and leaves an audit row (G-36)', async () => {
    const file = join(await testFolder(), 'metars.txt');
    await mkdir(dirname(file), { recursive: true });
    const { good } = (await feedFiles(new Date()))['metar'] ?? {};
    await writeFile(file, good ?? '');
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [script, 'feeds', 'run', 'metar', '--file', file],
      {
        env: {
          ...bareEnvironment(),
          ...env,
          DATABASE_URL: t.databaseUrl,
          DATA_DIR: await testFolder(),
          JWT_SECRET: t.config.JWT_SECRET.join(','),
          SAFETY_CODE: t.config.SAFETY_CODE.join(','),
        },
      },
    );
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^metar: \d+ received, \d+ written, 0 rejected \(file:.*\)\.\n$/);
    expect((await auditRepo(t.postgres.db).list({}, 1))[0]).toMatchObject({
      action: 'feeds run',
      subject: 'metar',
    });
  });

  test('Unchanged data exit with status 3 as nothing new, as JSON, too', async () => {
    const file = join(await testFolder(), 'metars.txt');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, (await feedFiles(new Date()))['metar']?.good ?? '');
    await using own = await testContext({
      databaseUrl: t.databaseUrl,
      env: { ...env, METAR_URL: pathToFileURL(file).href },
      clock: { ...t.clock, now: () => new Date() },
    });
    expect((await run(['metar'], own)).status).toBe(0);
    const { status, json } = await run(['metar', '--json'], own);
    expect([status, json]).toMatchObject([3, { ok: true, feed: 'metar', isStored: false }]);
  });

  test('A folder for a single-file feed is reported as such', async () => {
    const { status, err } = await run(['metar', '--file', tmpdir()]);
    expect(err).toContain(`metar: ${tmpdir()} is a folder; one file (plain or .gz) is expected.`);
    expect(status).toBe(1);
  });

  test('If the running service uses simulated sources, the command says that it reads the real ones', async () => {
    await t.postgres.transaction((tx) => feedStatusWrites(tx).declare([{ ...metar, isSimulated: true }]));
    const { status, err } = await run(['metar']);
    expect(err).toMatch(/^The service on this database has simulated sources; this run reads the real ones/m);
    expect(status).toBe(1);
    expect((await run(['metar', '--file', '/'])).err).not.toContain('simulated sources');
  });
});
