import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, testFolder } from '#test/harness.ts';
import type { TestDatabase } from '#test/harness.ts';

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
      PATH: process.env['PATH'] ?? '',
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
    '--permissions',
    'user_info=FULL,weather',
    '--json',
  );
  expect([made.status, made.err]).toEqual([0, '']);
  expect(made.out).toMatch(/^\{"ok":true,"key":"dk_[\w-]+","id":1\}\n$/);
  const queues = await ops('jobs', 'list', '--json');
  expect([queues.status, queues.err]).toEqual([0, '']);
  expect(JSON.parse(queues.out)).toMatchObject({ ok: true, dead: [] });
  const failed = await ops('devkey', 'revoke', '--id', '99', '--json');
  expect([failed.status, failed.err]).toEqual([1, '']);
  expect(JSON.parse(failed.out)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
  const typed = await ops('devkey', 'burn', '--json');
  expect([typed.status, typed.err]).toEqual([2, '']);
  expect(JSON.parse(typed.out)).toMatchObject({ ok: false, error: { code: 'USAGE' } });
});

test('A folder in which no service was started is an error and stays empty; a variable that is nearly one of ours is named', async () => {
  const empty = join(folder, 'nothing');
  const none = await opsWith({ DATABASE_URL: '', DATABSE_URL: 'x', DATA_DIR: empty }, 'jobs', 'list');
  expect([none.status, none.out]).toEqual([1, '']);
  expect(none.err).toContain('DATABSE_URL is not a variable of this service. Did you mean DATABASE_URL?');
  expect(none.err).toContain(
    `DATA_DIR: there is no database in ${empty}; start the service once (npm start)`,
  );
  expect(existsSync(empty)).toBe(false);
});

test('Version and help are there by flag and by word', async () => {
  expect(await ops('--version')).toMatchObject({
    status: 0,
    out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
  const byWord = await ops('help', 'jobs');
  expect(byWord).toEqual(await ops('jobs', '--help'));
  expect(byWord).toMatchObject({ status: 0, out: expect.stringContaining('jobs retry') });
});
