/** The header Idempotency-Key: a call repeated because its answer was lost is carried out once. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashOfKey } from '#platform/developer-keys.ts';
import { createStorage } from '#store/storage/storage.ts';
import type { FileStorage } from '#domain/ports.ts';
import type { Answer, TestUser } from '../api.ts';
import { testFolder } from '../harness.ts';
import { at, refusal } from '../support/answers.ts';
import { pdfOf } from '../support/documents.ts';
import { documentOf } from '../support/checklists.ts';
import { libraryApi } from '../support/library.ts';
import type { LibraryApi } from '../support/library.ts';
import { planOf } from '../support/plans.ts';
import { insertBySql, runSql } from '../support/sql.ts';

let library: LibraryApi;
let user: TestUser;
/** Set by a test: runs before a put. */
let beforePut: (() => Promise<unknown>) | null = null;

beforeAll(async () => {
  const storage = createStorage({ DATA_DIR: await testFolder() });
  const put: FileStorage['put'] = async (...given) => {
    await beforePut?.();
    return storage.put(...given);
  };
  library = await libraryApi({ storage: { ...storage, put } });
});
beforeEach(async () => {
  user = await library.member();
});
afterAll(() => library.close());

const keyed = (key: string, query: string, data: Record<string, unknown>, { token } = user) =>
  library.api.call(query, {
    token,
    headers: { 'x-dev-key': library.devKey, 'idempotency-key': key },
    data,
  });
const count = async (
  table: 'checklist' | 'library_folder' | 'library_file' | 'ofp_share' | 'outgoing_mail',
) => {
  const rows = {
    checklist: insertBySql<{ n: number }>(library.api.context.postgres)`
      SELECT count(*)::int AS n FROM checklist WHERE user_id = ${user.id}`,
    library_folder: insertBySql<{ n: number }>(library.api.context.postgres)`
      SELECT count(*)::int AS n FROM library_folder f JOIN library_space s ON s.id = f.space_id WHERE s.user_id = ${user.id}`,
    library_file: insertBySql<{ n: number }>(library.api.context.postgres)`
      SELECT count(*)::int AS n FROM library_file f JOIN library_space s ON s.id = f.space_id WHERE s.user_id = ${user.id}`,
    ofp_share: insertBySql<{ n: number }>(library.api.context.postgres)`
      SELECT count(*)::int AS n FROM ofp_share WHERE owner_id = ${user.id}`,
    outgoing_mail: insertBySql<{ n: number }>(library.api.context.postgres)`
      SELECT count(*)::int AS n FROM outgoing_mail WHERE recipient = ${`guest${user.id}@example.org`}`,
  };
  return (await rows[table]).n;
};
const isReplayed = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';
const checklist = { name: 'Once', checklist: documentOf() };
const url = 'https://vimeo.com/76979871';

test('A stored answer is only for the developer key and permissions that produced it (G-05)', async () => {
  const { api } = library;
  const [devKey, other] = [await api.key({ efb: true }), await api.key({ efb: true })];
  const save = (by: string) =>
    api.call('checklistSave', {
      token: user.token,
      devKey: by,
      headers: { 'idempotency-key': 'ours' },
      data: checklist,
    });
  expect((await save(devKey)).status).toBe(200);
  expect(isReplayed(await save(devKey))).toBe(true);
  expect(refusal(await save(other))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  await runSql(api.context.postgres)`
    UPDATE developer_key SET efb = false WHERE key_hash = ${hashOfKey(devKey)}`;
  expect(refusal(await save(devKey))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
});

/** Row of an earlier call of this user, as its process has left it. */
const left = (key: string, isApplied: boolean, ageSeconds: number) =>
  runSql(library.api.context.postgres)`
    UPDATE idempotency_key SET is_applied = ${isApplied}, answer = NULL,
      claimed_at = ${new Date(library.api.context.clock.now().getTime() - ageSeconds * 1_000)}
    WHERE user_id = ${user.id} AND key = ${key}`;

describe('Idempotency-Key', () => {
  test.each([
    ['checklistSave', () => checklist, ['checklist']],
    ['libraryFolderCreate', () => ({ name: 'Once' }), ['library_folder']],
    ['libraryUpload', () => ({ url }), ['library_file']],
    [
      'ofpShare',
      async () => ({
        ofpId: await planOf(library.api, user),
        sharedWithEmail: `guest${user.id}@example.org`,
      }),
      ['ofp_share', 'outgoing_mail'],
    ],
  ] as const)(
    'Of 20 parallel calls of %s with one key one is carried out, and each repetition gets its answer',
    async (query, dataOf, tables) => {
      const [key, data] = [randomUUID(), await dataOf()];
      const answers = await Promise.all(Array.from({ length: 20 }, () => keyed(key, query, data)));
      const first = answers.filter((answer) => answer.status === 200 && !isReplayed(answer));
      expect(first).toHaveLength(1);
      const others = answers.filter((answer) => answer !== first[0] && !isReplayed(answer));
      expect(
        new Set(others.map((answer) => refusal(answer).join(' '))).difference(
          new Set(['409 IDEMPOTENCY_KEY_IN_USE']),
        ),
      ).toEqual(new Set());
      expect(others.every(({ headers }) => headers.get('retry-after') === '1')).toBe(true);
      const again = await keyed(key, query, data);
      expect([again.status, isReplayed(again), again.body]).toEqual([200, true, first[0]?.body]);
      expect(await Promise.all(tables.map(count))).toEqual(tables.map(() => 1));
    },
  );

  test('A file is sent once per key; with other bytes the call is a different one', async () => {
    const send = async (text: string) => {
      const form = new FormData();
      form.set('query', 'libraryUpload');
      form.set('file', new Blob([new Uint8Array(pdfOf(text))]), 'one.pdf');
      const headers = {
        authorization: `Bearer ${user.token}`,
        'x-dev-key': library.devKey,
        'idempotency-key': 'file',
      };
      const response = await library.api.fetch('/api', { method: 'POST', body: form, headers });
      return { status: response.status, body: (await response.json()) as Answer['body'] };
    };
    const [first, second, other] = [await send('a'), await send('a'), await send('b')];
    expect([first.status, second, other.status]).toEqual([200, first, 422]);
    expect(await count('library_file')).toBe(1);
  });

  test('A key may be quoted as in the draft', async () => {
    const folder = await keyed('"quoted"', 'libraryFolderCreate', { name: 'A' });
    const again = await keyed('quoted', 'libraryFolderCreate', { name: 'A' });
    expect([again.body, isReplayed(again)]).toEqual([folder.body, true]);
  });

  test('Another body with the same key and an invalid key are refused and change nothing', async () => {
    await keyed('one', 'checklistSave', checklist);
    const other = await keyed('one', 'checklistSave', { ...checklist, name: 'Other' });
    expect(refusal(other)).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(refusal(await keyed('one', 'libraryFolderCreate', { name: 'A' }))).toEqual([
      422,
      'IDEMPOTENCY_KEY_REUSED',
    ]);
    for (const key of ['', 'two words', 'x'.repeat(256)])
      expect(refusal(await keyed(key, 'checklistSave', checklist))).toEqual([400, 'INVALID_IDEMPOTENCY_KEY']);
    expect(await count('checklist')).toBe(1);
  });

  test('A key belongs to its account and is forgotten after a day', async () => {
    const mine = await keyed('shared', 'checklistSave', checklist);
    const other = await keyed('shared', 'checklistSave', checklist, await library.member());
    expect([other.status, isReplayed(other)]).toEqual([200, false]);
    const age = (hours: number) => runSql(library.api.context.postgres)`
      UPDATE idempotency_key SET created_at = created_at - ${hours} * interval '1 hour' WHERE user_id = ${user.id}`;
    await age(23);
    expect((await keyed('shared', 'checklistSave', checklist)).body).toEqual(mine.body);
    await age(1);
    expect(isReplayed(await keyed('shared', 'checklistSave', checklist))).toBe(false);
    expect(await count('checklist')).toBe(2);
  });

  test('A refused call does not use up its key', async () => {
    const data = { ...checklist, expectedVersion: 7 };
    expect(refusal(await keyed('free', 'checklistSave', data))).toEqual([409, 'VERSION_CONFLICT']);
    expect((await keyed('free', 'checklistSave', checklist)).status).toBe(200);
  });

  test('A call whose process was killed runs again only if it had written nothing', async () => {
    await keyed('killed', 'libraryFolderCreate', { name: 'A' });
    const again = () => keyed('killed', 'libraryFolderCreate', { name: 'A' });
    await left('killed', false, 29);
    expect(refusal(await again())).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE']);
    await left('killed', true, 29);
    expect(refusal(await again())).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE']);
    await left('killed', true, 31);
    expect(refusal(await again())).toEqual([409, 'IDEMPOTENT_ANSWER_LOST']);
    expect(await count('library_folder')).toBe(1);
    await left('killed', false, 31);
    expect([(await again()).status, await count('library_folder')]).toEqual([200, 2]);
  });

  test('A call that another process has taken over commits nothing', async () => {
    const { postgres } = library.api.context;
    beforePut = () =>
      runSql(postgres)`UPDATE idempotency_key SET claim = gen_random_uuid() WHERE user_id = ${user.id}`;
    const data = {
      registration: 'D-SLOW',
      basedOnProfile: 'A320-214',
      profileData: { weight: { mslw: 64_000 } },
    };
    expect(refusal(await keyed('slow', 'fleetSave', data))).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE']);
    beforePut = null;
    const { body } = await library.api.call('fleetList', { token: user.token, data: {} });
    expect(at({ body } as Answer, 'data', 'userFleet')).toEqual([]);
  });

  test('Up to 16 MB of answers are kept per account, and beyond that a repetition only says that the call succeeded', async () => {
    await keyed('large', 'checklistSave', checklist);
    await runSql(library.api.context.postgres)`
      UPDATE idempotency_key SET answer = convert_to(repeat('x', 16777216), 'UTF8') WHERE user_id = ${user.id}`;
    await keyed('next', 'libraryFolderCreate', { name: 'A' });
    library.api.context.clock.advance(31);
    expect(refusal(await keyed('next', 'libraryFolderCreate', { name: 'A' }))).toEqual([
      409,
      'IDEMPOTENT_ANSWER_LOST',
    ]);
    expect(await count('library_folder')).toBe(1);
  });
});
