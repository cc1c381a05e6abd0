/**
 * Deleted entries are kept for a limited time, and a client that was offline longer has to read everything.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import type { TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';
import { pdfOf } from '#test/support/documents.ts';
import { libraryApi } from '#test/support/library.ts';
import type { LibraryApi } from '#test/support/library.ts';
import { runSql } from '#test/support/sql.ts';
import { runOnce } from '#test/support/run-once.ts';
import sweepExpired from '#workers/jobs/sweep-expired.ts';

let library: LibraryApi;
beforeAll(async () => {
  library = await libraryApi();
});
afterAll(() => library.close());

const sweep = () => runOnce(sweepExpired, library.api.context, { slot: '2026-09-16T12:00:00Z' });

/** This many days later, with a new token. */
const after = async (days: number, { email, password }: TestUser) => {
  library.api.context.clock.advance(days * 86_400);
  const { body } = await library.api.call('login', { devKey: library.devKey, data: { email, password } });
  return { token: String(body['token']) };
};

const subscribe = ({ id }: TestUser, product: string) =>
  runSql(library.api.context.postgres)`
    INSERT INTO subscription (user_id, product_code, starts_at, ends_at)
    VALUES (${id}, ${product}, ${library.api.context.clock.now()}, '2099-01-01')`;

const tooOld = [410, 'SINCE_TOO_OLD'];

test('A since before the last swept deletion is refused with 410, and a new full sync works', async () => {
  const user = await library.api.user();
  await subscribe(user, 'EFB_STANDARD_M');
  const file = await library.file(user, pdfOf('one'));
  const { syncedAt: before } = await library.sync(user);
  const nextDay = await after(1, user);
  await library.call('libraryFileDelete', nextDay, { fileId: file });
  const { syncedAt: since } = await library.sync(nextDay, before);
  const young = await after(179, user);
  await sweep();
  expect((await library.sync(young, before)).files).toMatchObject([{ id: file }]);
  const old = await after(2, user);
  await sweep();
  expect(refusal(await library.call('librarySync', old, { since: before }))).toEqual(tooOld);
  const full = await library.sync(old);
  expect(full.files).toEqual([]);
  // A sync made after the deletion is complete, however long ago it was.
  for (const stamp of [since, full.syncedAt]) expect((await library.sync(old, stamp)).files).toEqual([]);
});

test('A record of what a user could see is deleted six months after it ended, at the next change', async () => {
  const user = await library.api.user();
  const views = () =>
    library.api.context.postgres.db.any(sql`
      SELECT level FROM library_view WHERE user_id = ${user.id} ORDER BY seen_from`);
  const { syncedAt: first } = await library.sync(user);
  await subscribe(user, 'EFB_LITE_M');
  await library.sync(await after(1, user));
  expect(await views()).toEqual([{ level: 0 }, { level: 1 }]);
  await subscribe(user, 'EFB_PRO_M');
  const later = await after(181, user);
  const { syncedAt } = await library.sync(later);
  expect(await views()).toEqual([{ level: 1 }, { level: 3 }]);
  expect(refusal(await library.call('librarySync', later, { since: first }))).toEqual(tooOld);
  expect((await library.sync(later, syncedAt)).files).toEqual([]);
});
