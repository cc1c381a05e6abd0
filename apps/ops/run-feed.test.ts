import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditRepo } from '#store/postgres/audit/log.ts';
import { feedStatusWrites } from '#store/postgres/feeds/status.ts';
import metar from '#scheduler/feeds/metar.ts';
import { testContext, testFolder } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { feedFiles } from '#test/support/feed-files.ts';

const script = resolve(import.meta.dirname, 'main.ts');
const run = (args: string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, [script, 'feeds', 'run', ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });

const envOf = async (t: TestContext) => ({
  // vitest sets it for web tests.
  BASE_URL: '',
  DATABASE_URL: t.databaseUrl,
  DATA_DIR: await testFolder(),
  JWT_SECRET: t.config.JWT_SECRET.join(','),
  SAFETY_CODE: t.config.SAFETY_CODE.join(','),
  METAR_URL: 'file:///nowhere/metars.xml',
  METAR_FALLBACK_URL: 'file:///nowhere/{HH}Z.TXT',
});

let t: TestContext;
let env: Record<string, string>;
beforeAll(async () => {
  t = await testContext();
  env = await envOf(t);
});
afterAll(() => t.close());

describe('ops feeds run', () => {
  test('Help names the options and the exit statuses', () => {
    const { status, stdout, stderr } = run(['--help']);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('feeds run --feed FEED [--file FILE] [--url URL] [--slot SLOT] [--force]');
    expect(stdout).toContain('Exit status: 0 stored, 1 failed, 2 usage error, 3 nothing new.');
  });

  test.each([
    [['metars'], 'There is no feed "metars". Did you mean "metar"? Feeds: airports, datis, magvar,'],
    [['metar', 'taf'], '"feeds run" does not take "taf".'],
    [['metar', '--fiel', 'x'], "Unknown option '--fiel'"],
    [['metar', '--url', 'ftp://x'], '--url: must be an http://, https:// or file:// URL'],
    [['metar', '--file', '/nowhere/x'], '/nowhere/x does not exist.'],
    [['metar', '--file', '/', '--url', 'https://x.example'], 'Use --file or --url, not both.'],
  ])('An invalid call %j names the problem and exits with 2', (args, message) => {
    const { status, stdout, stderr } = run(args, env);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr.startsWith(message) ? message : stderr).toBe(message);
  });

  test('A file is stored with 0 and one line, and leaves a row in the audit (G-36)', async () => {
    const file = join(await testFolder(), 'metars.txt');
    await mkdir(dirname(file), { recursive: true });
    const { good } = (await feedFiles(new Date()))['metar'] ?? {};
    await writeFile(file, good ?? '');
    const { status, stdout, stderr } = run(['metar', '--file', file], env);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^metar: \d+ received, \d+ written, 0 rejected \(file:.*\)\.\n$/);
    expect((await auditRepo(t.postgres.db).list({}, 1))[0]).toMatchObject({
      action: 'feeds run',
      subject: 'metar',
    });
  });

  test('Unchanged data are nothing new, with 3, also as JSON', async () => {
    const file = join(await testFolder(), 'metars.txt');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, (await feedFiles(new Date()))['metar']?.good ?? '');
    const own = { ...env, METAR_URL: pathToFileURL(file).href };
    expect(run(['metar'], own).status).toBe(0);
    const { status, stdout } = run(['metar', '--json'], own);
    expect([status, JSON.parse(stdout)]).toMatchObject([3, { ok: true, feed: 'metar', isStored: false }]);
  });

  test('A folder for a single-file feed is reported as such', () => {
    const { status, stderr } = run(['metar', '--file', tmpdir()], env);
    expect(stderr).toContain(`metar: ${tmpdir()} is a folder; one file (plain or .gz) is expected.\n`);
    expect(status).toBe(1);
  });

  test('Next to a service with simulated sources it says that it reads the real ones', async () => {
    await t.postgres.transaction((tx) => feedStatusWrites(tx).declare([{ ...metar, isSimulated: true }]));
    const { status, stderr } = run(['metar'], env);
    expect(stderr).toMatch(
      /^The service on this database has simulated sources; this run reads the real ones/m,
    );
    expect(status).toBe(1);
    expect(run(['metar', '--file', '/'], env).stderr).not.toContain('simulated sources');
  });
});
