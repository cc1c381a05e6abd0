import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, testFolder } from '#test/harness.ts';
import type { TestDatabase } from '#test/harness.ts';
import { bareEnvironment } from '#test/support/process.ts';
import { sampled } from '#test/support/deep.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await testFolder();
});
afterAll(() => database.drop());

const ops = (...args: string[]) => opsWith({}, ...args);
const opsWith = (changes: Record<string, string>, ...args: string[]) =>
  new Promise<{ status: number; out: string; err: string }>((resolve) => {
    const env = {
      ...bareEnvironment(),
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      JWT_SECRET: 'test-key-0123456789-0123456789-0123456789',
      SAFETY_CODE: 'test-safety-code-0123456789',
      ...changes,
    };
    const file = join(import.meta.dirname, 'main.ts');
    const child = execFile(process.execPath, [file, ...args], { env }, (_error, out, err) => {
      resolve({ status: child.exitCode ?? -1, out, err });
    });
  });

test('The process prints only one JSON document and exits with the right status (G-05)', async () => {
  const made = await ops(
    'devkey',
    'create',
    '--name',
    'N',
    '--user-info',
    'FULL',
    '--weather',
    'yes',
    '--json',
  );
  expect([made.status, made.err]).toEqual([0, '']);
  expect(made.out).toMatch(/^\{"ok":true,"key":"dk_[\w-]+","id":1\}\n$/);
  const queues = await ops('jobs', 'list', '--json');
  expect([queues.status, queues.err]).toEqual([0, '']);
  expect(JSON.parse(queues.out)).toMatchObject({ ok: true, dead: [] });
  const typed = await ops('devkey', 'burn', '--json');
  expect([typed.status, typed.err]).toEqual([2, '']);
  expect(JSON.parse(typed.out)).toMatchObject({ ok: false, error: { code: 'USAGE' } });
});

test('A folder without a started service is an error and stays empty, and a variable that is nearly a known one is named', async () => {
  const empty = join(folder, 'nothing');
  const none = await opsWith({ DATABASE_URL: '', DATABSE_URL: 'x', DATA_DIR: empty }, 'jobs', 'list');
  expect([none.status, none.out]).toEqual([1, '']);
  expect(none.err).toContain('DATABSE_URL is not a variable of this service. Did you mean DATABASE_URL?');
  expect(none.err).toContain(
    `DATA_DIR: there is no database in ${empty}; start the service once (npm start)`,
  );
  expect(existsSync(empty)).toBe(false);
});

const root = join(import.meta.dirname, '../..');
const run = (file: string, ...args: string[]) =>
  new Promise<{ status: number; out: string; err: string }>((resolve) => {
    const child = execFile(process.execPath, [join(root, file), ...args], (_error, out, err) => {
      resolve({ status: child.exitCode ?? -1, out, err });
    });
  });

test('Every command line has help with its exit statuses, and ops has its version', async () => {
  const all: [name: string, file: string, pattern: RegExp][] = [
    ['ops', 'apps/ops/main.ts', /Exit status: 0 done, 1 failed, 2 usage error/],
    ['migrate', 'apps/ops/migrate.ts', /npm run migrate -- status.*\n +Exit status: 0 /],
    ['calc', 'tools/calc.ts', /Exit status: 0 /],
    ['decode', 'tools/decode.ts', /Exit status: 0 /],
    ['grib', 'tools/grib.ts', /Exit status: 0 /],
    ['calibrate', 'tools/calibration/main.ts', /--stage/],
    ['demo', 'tools/demo/main.ts', /Exit status: 0 /],
    ['bench', 'test/bench/main.ts', /Exit status: 0 /],
    ['env', 'apps/ops/make-env.cjs', /generated secrets/],
  ];
  const tools = sampled(all, 3);
  const answers = await Promise.all(tools.map(([, file]) => run(file, '--help')));
  for (const [i, { status, out, err }] of answers.entries()) {
    const [name = '', , pattern = /./] = tools[i] ?? [];
    expect([name, status, err]).toEqual([name, 0, '']);
    expect(out).toMatch(new RegExp(`^usage: npm run ${name}\\b`));
    expect(out).toMatch(pattern);
  }
  expect(await ops('--version')).toEqual({
    status: 0,
    err: '',
    out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
});

test('A misspelt word is a usage error that names the intended one', async () => {
  const typos: [file: string, typed: string, sentence: string][] = [
    ['apps/ops/migrate.ts', 'staus', 'Unknown command: migrate staus. Did you mean "status"?'],
    ['tools/decode.ts', 'metr', 'There is no kind "metr". Did you mean "metar"?'],
    ['tools/calc.ts', '--chek', 'Unknown option \'--chek\'. Did you mean "--check"?'],
    ['tools/demo/main.ts', 'subscription', 'There is no demo "subscription". Did you mean "subscriptions"?'],
    ['test/bench/main.ts', 'sok', 'There is no benchmark sok. Did you mean "soak"?'],
  ];
  const tried = sampled(typos, 3);
  const answers = await Promise.all(tried.map(([file, typed]) => run(file, typed)));
  expect(answers.map(({ status, err }) => [status, err.split(/ There are|\n/)[0]])).toEqual(
    tried.map(([, , sentence]) => [2, sentence]),
  );
});
