import { execFile } from 'node:child_process';
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

const ops = (...args: string[]) =>
  new Promise<{ status: number; out: string; err: string }>((resolve) => {
    const env = {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      JWT_SECRET: 'test-key-0123456789-0123456789-0123456789',
      SAFETY_CODE: 'test-safety-code-0123456789',
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
