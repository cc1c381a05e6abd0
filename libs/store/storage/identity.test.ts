import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { serviceReadiness } from '#data/readiness.ts';
import { StorageIdentityError, assertOwnStorage, storageProblem } from './identity.ts';

let t: TestContext;
/** On the same database, with a different folder. */
let other: TestContext;
beforeAll(async () => {
  t = await testContext();
  other = await testContext({ databaseUrl: t.databaseUrl });
});
afterAll(async () => {
  await other.close();
  await t.close();
});

const fileOf = ({ config }: TestContext): string => join(config.DATA_DIR, 'files', 'storage-id');

test('Processes that start simultaneously agree on their storage, and one with another folder is refused and not ready', async () => {
  expect(await storageProblem(t)).toBeNull();
  await Promise.all([assertOwnStorage(t), assertOwnStorage(t), assertOwnStorage(t)]);
  await assertOwnStorage(t);
  const id = await readFile(fileOf(t), 'utf8');

  const refused = assertOwnStorage(other);
  await expect(refused).rejects.toThrow(StorageIdentityError);
  await expect(refused).rejects.toThrow(`storage-id is missing, not ${id}. Give the folder or bucket`);
  expect(await serviceReadiness(other, 60_000)).toEqual({
    ready: false,
    checks: {
      database: 'ok',
      migrations: 'ok',
      storage: `the files are not those of this database: storage-id is missing, not ${id}`,
    },
  });
  expect((await serviceReadiness(t, 60_000)).ready).toBe(true);

  await mkdir(join(other.config.DATA_DIR, 'files'), { recursive: true });
  await writeFile(fileOf(other), 'of another database\n');
  await expect(assertOwnStorage(other)).rejects.toThrow(`storage-id is of another database, not ${id}`);
  await writeFile(fileOf(other), `${id}\n`);
  await assertOwnStorage(other);
  expect(await storageProblem(other)).toBeNull();
});

test('A new database adopts the id of its files', async () => {
  const fresh = await testContext();
  await mkdir(join(fresh.config.DATA_DIR, 'files'), { recursive: true });
  await writeFile(fileOf(fresh), 'kept');
  await assertOwnStorage(fresh);
  expect([await storageProblem(fresh), await readFile(fileOf(fresh), 'utf8')]).toEqual([null, 'kept']);
  await fresh.close();
});
