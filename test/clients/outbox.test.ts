/** The outbox of the TypeScript client against the running service, killed between any two of its steps. */
import { readFile, writeFile } from 'node:fs/promises';
import * as files from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestApi, TestUser } from '#test/api.ts';
import { testFolder } from '#test/harness.ts';
import { documentOf } from '#test/support/checklists.ts';
import { clientScene } from '#test/support/client-scene.ts';
import { pdfOf } from '#test/support/documents.ts';
import { planOf } from '#test/support/plans.ts';
import { runSql } from '#test/support/sql.ts';
import { createClient } from '../../clients/typescript/src/index.ts';
import type { Client, ClientOptions, EfbError } from '../../clients/typescript/src/index.ts';
import { fileStore, idOf, memoryStore, openOutbox } from '../../clients/typescript/src/outbox/index.ts';
import type { Conflict, Decision, NewEdit, Store } from '../../clients/typescript/src/outbox/index.ts';

let api: TestApi;
let user: TestUser;
let devKey: string;
beforeAll(async () => {
  ({ api, user, devKey } = await clientScene());
});
afterAll(() => api.close());

const clientOf = (options: Partial<ClientOptions> = {}): Client =>
  createClient({
    baseUrl: api.url,
    token: { token: user.token, expires: '2999-01-01T00:00:00Z' },
    ...options,
  });

/** A device that is killed before its nth step, which is after the one before: what it waits for then never comes. */
const mortal = (values: Map<string, unknown>, killAt: number) => {
  let steps = 0;
  const { promise: dead, resolve: die } = Promise.withResolvers<'killed'>();
  const step = async (): Promise<void> => {
    steps += 1;
    if (steps < killAt) return;
    die('killed');
    await new Promise(() => undefined);
  };
  const memory = memoryStore(values);
  const store: Store = { ...memory, write: async (changes) => step().then(() => memory.write(changes)) };
  const client = clientOf({ fetch: async (...given) => step().then(() => fetch(...given)) });
  return { store, client, dead };
};

const listOf = (value: unknown): number[] => (value as { payload: number[] } | null)?.payload ?? [];
const addAll = ({ edits, current, row }: Conflict): Decision => {
  const [, ofpId = '', dataKey = ''] = row.split(' ');
  const numbers = edits.map(({ memo }) => memo as number);
  const payload = [...listOf(current), ...numbers];
  return { edits: [{ query: 'flightDataSave', data: { ofpId, dataKey, payload }, memo: numbers }] };
};
const save = (ofpId: string, dataKey: string, payload: number[]): NewEdit => ({
  query: 'flightDataSave',
  data: { ofpId, dataKey, payload },
  memo: payload.at(-1),
});
const checklist = (name: string, more: object = {}): NewEdit => ({
  query: 'checklistSave',
  data: { name, checklist: documentOf() as never, ...more },
});

test('An outbox killed between any two steps sends each edit once and those of a row in order, and reports a conflict with the later edits', async () => {
  const ofpId = await planOf(api, user);
  const other = clientOf();
  const dataKey = (n: number) => `k${n}`;
  let kills = 0;
  for (let killAt = 1; ; killAt += 1) {
    const values = new Map<string, unknown>();
    const row = `flightData ${ofpId} ${dataKey(killAt)}`;
    const resolve = addAll;
    const before = await openOutbox({ client: clientOf(), store: memoryStore(values), resolve });
    const [first, second] = [`checklist local${killAt}`, `checklist other${killAt}`];
    await before.add(first, checklist(`Made ${killAt}`));
    await before.add(row, save(ofpId, dataKey(killAt), [1]));
    await before.add(first, checklist(`Changed ${killAt}`, { checklistId: idOf(first) }));
    await before.add(row, save(ofpId, dataKey(killAt), [1, 2]));
    await before.add(second, checklist(`Gone ${killAt}`));
    await before.add(second, { query: 'checklistDelete', data: { checklistId: idOf(second) } });
    await other.call('flightDataSave', { ofpId, dataKey: dataKey(killAt), payload: [9] });

    const { store, client, dead } = mortal(values, killAt);
    const outbox = await openOutbox({ client, store, resolve });
    const ended = await Promise.race([outbox.flush(), dead]);
    if (ended === 'killed') kills += 1;
    const after = await openOutbox({ client: clientOf(), store: memoryStore(values), resolve });
    const flushed = await after.flush();
    expect([killAt, flushed.left, flushed.error, after.waiting()]).toEqual([killAt, 0, null, []]);
    const { data } = await other.call('flightDataGet', { ofpId, dataKey: dataKey(killAt) });
    expect([killAt, data.payload, data.version]).toEqual([killAt, [9, 1, 2], 2]);
    expect(after.state(row)).toEqual({ revision: 2, id: null, isGone: false });
    expect(after.state(second).isGone).toBe(true);
    if (ended !== 'killed') break;
  }
  const { data } = await other.call('checklistList', { scope: 'own' });
  const names = data.userChecklists.map(({ name }) => name).toSorted();
  expect(names).toEqual(Array.from({ length: kills + 1 }, (_, n) => `Changed ${n + 1}`).toSorted());
  expect(kills).toBeGreaterThan(15);
});

describe('answers to edits', () => {
  const opened = async (fetchOne: typeof fetch, decide: (conflict: Conflict) => Decision = addAll) => {
    const seen: Conflict[] = [];
    const outbox = await openOutbox({
      client: clientOf({ fetch: fetchOne, retries: 0 }),
      store: memoryStore(),
      resolve: (conflict) => {
        seen.push(conflict);
        return decide(conflict);
      },
    });
    return { outbox, seen };
  };
  const answering =
    (status: number, body: string): typeof fetch =>
    () =>
      Promise.resolve(new Response(body, { status }));
  const failing = (status: number, code: string) =>
    answering(status, JSON.stringify({ success: false, error: { code, status, message: code } }));

  test.each([
    ['a page of a hotel', answering(403, '<html>Room?</html>'), 'FORBIDDEN'],
    ['a page with status 200', answering(200, '<html>Room?</html>'), 'INVALID_ANSWER'],
    ['an expired session', failing(401, 'AUTH_REQUIRED'), 'AUTH_REQUIRED'],
    ['a limit', failing(429, 'RATE_LIMITED'), 'RATE_LIMITED'],
    ['a proxy', answering(502, ''), 'HTTP_502'],
    ['no network', () => Promise.reject(new TypeError('none')), 'NETWORK_ERROR'],
  ])('With %s no edit is lost, and none is shown as refused', async (_, fetchOne, code) => {
    const { outbox, seen } = await opened(fetchOne);
    await outbox.add('row', save('OFP-1', 'k', [1]));
    const { sent, left, error } = await outbox.flush();
    expect([sent, left, error?.code, seen]).toEqual([0, 1, code, []]);
  });

  test('A refused edit, or one that fails in the service, blocks its own row while others continue', async () => {
    const answers = [failing(500, 'INTERNAL_ERROR'), failing(403, 'INSUFFICIENT_PERMISSION')];
    const { outbox, seen } = await opened(
      (...given) => (answers.shift() ?? fetch)(...given),
      () => 'later',
    );
    const ofpId = await planOf(api, user);
    for (const [row, key] of [
      ['one', 'a'],
      ['two', 'b'],
      ['one', 'a'],
      ['three', 'c'],
    ] as const)
      await outbox.add(row, save(ofpId, key, [1]));
    expect(await outbox.flush()).toEqual({ sent: 1, left: 3, error: null });
    expect(seen.map(({ row, reason, error }) => [row, reason, error.code])).toEqual([
      ['two', 'refused', 'INSUFFICIENT_PERMISSION'],
    ]);
    expect(await outbox.flush()).toEqual({ sent: 3, left: 0, error: null });
  });

  test('A deleted row is reported as deleted, a second deletion succeeds, and a read does not replace pending edits', async () => {
    const ofpId = await planOf(api, user);
    const efb = clientOf();
    const { outbox, seen } = await opened(fetch, () => ({ edits: [] }));
    const row = 'flightData';
    await efb.call('flightDataSave', { ofpId, dataKey: 'k', payload: [1] });
    expect(await outbox.pulled(row, { revision: 1 })).toBe(true);
    await outbox.add(row, save(ofpId, 'k', [2]));
    expect(await outbox.pulled(row, { revision: 1 })).toBe(false);
    await efb.call('flightDataDelete', { ofpId, dataKey: 'k' });
    await outbox.flush();
    expect(seen.map(({ reason, error }) => [reason, error.code])).toEqual([
      ['deleted', 'FLIGHT_DATA_DELETED'],
    ]);
    expect(outbox.state(row).isGone).toBe(true);
    // Read before it was deleted.
    expect(await outbox.pulled(row, { revision: 1 })).toBe(false);
    await outbox.add(row, { query: 'flightDataDelete', data: { ofpId, dataKey: 'k' } });
    expect(await outbox.flush()).toEqual({ sent: 1, left: 0, error: null });
    await outbox.add(row, save(ofpId, 'k', [3]));
    expect(await outbox.flush()).toEqual({ sent: 1, left: 0, error: null });
    const settings: NewEdit = { query: 'saveUserSettings', data: { defaultUnit: 'IMPERIAL' }, seen: 1 };
    await outbox.add('preferences', settings);
    await outbox.flush();
    const { user: shown } = await efb.call('refreshUserData');
    expect([seen.at(-1)?.reason, seen.at(-1)?.revision]).toEqual([
      'changed',
      (shown as { preferencesRevision?: number }).preferencesRevision,
    ]);
  });

  test('A conflict never shown is not overwritten by a later edit, unless its revision is adopted', async () => {
    const ofpId = await planOf(api, user);
    const efb = clientOf();
    let isTakenOver = false;
    const { outbox, seen } = await opened(fetch, ({ revision }) => ({
      edits: [],
      ...(isTakenOver ? { revision } : {}),
    }));
    await efb.call('flightDataSave', { ofpId, dataKey: 'k', payload: [1] });
    await outbox.pulled('row', { revision: 1 });
    await efb.call('flightDataSave', { ofpId, dataKey: 'k', payload: [1, 9] });
    await outbox.add('row', { query: 'flightDataDelete', data: { ofpId, dataKey: 'k' } });
    await outbox.flush();
    await outbox.add('row', save(ofpId, 'k', [2]));
    isTakenOver = true;
    await outbox.flush();
    const stored = async () => (await efb.call('flightDataGet', { ofpId, dataKey: 'k' })).data.payload;
    expect(seen.map(({ reason, revision }) => [reason, revision])).toEqual([
      ['changed', 2],
      ['changed', 2],
    ]);
    expect(await stored()).toEqual([1, 9]);
    await outbox.add('row', save(ofpId, 'k', [1, 9, 2]));
    expect(await outbox.flush()).toMatchObject({ sent: 1, left: 0 });
    expect(await stored()).toEqual([1, 9, 2]);
  });

  test('A new row is created once, even when the service has forgotten its key, and no later edit overwrites changes made since', async () => {
    let isLost = true;
    const { outbox, seen } = await opened(
      async (...given) => {
        const response = await fetch(...given);
        if (isLost) throw new TypeError('The answer is lost.');
        return response;
      },
      () => ({ edits: [] }),
    );
    const row = 'checklist new';
    await outbox.add(row, checklist('Once'));
    await outbox.add(row, checklist('Later', { checklistId: idOf(row) }));
    await outbox.flush();
    isLost = false;
    const own = async () => (await clientOf().call('checklistList', { scope: 'own' })).data.userChecklists;
    const id = (await own()).find(({ name }) => name === 'Once')?.checklist_id ?? '';
    await runSql(api.context.postgres)`DELETE FROM idempotency_key`;
    await clientOf().call('checklistSave', {
      checklistId: id,
      name: 'Theirs',
      checklist: documentOf() as never,
    });
    expect(await outbox.flush()).toEqual({ sent: 1, left: 0, error: null });
    const now = (await own()).find(({ name }) => name === 'Theirs')?.revision;
    expect(seen.map(({ reason, revision, row: changed }) => [reason, revision, changed])).toEqual([
      ['changed', now, row],
    ]);
    expect((await own()).filter(({ name }) => ['Once', 'Theirs', 'Later'].includes(name))).toHaveLength(1);
    expect(outbox.state(row).id).toBe(id);
  });

  test('A deletion read from the service ends a row, and a later state restarts it', async () => {
    const { outbox } = await opened(fetch);
    await outbox.pulled('row', { revision: 3, id: '7' });
    expect(await outbox.pulled('row', { revision: 5, isGone: true })).toBe(true);
    expect(outbox.state('row')).toEqual({ revision: 5, id: '7', isGone: true });
    expect(await outbox.pulled('row', { revision: 4 })).toBe(false);
    expect(await outbox.pulled('row', { revision: 6 })).toBe(true);
    expect(outbox.state('row')).toEqual({ revision: 6, id: '7', isGone: false });
  });

  test('A file that cannot be moved because its folder is gone stays known, and a folder with contents remains', async () => {
    const member = await api.user();
    await api.grant(member, 'EFB_COMMERCIAL_Y');
    const efb = clientOf({ devKey, token: { token: member.token, expires: '2999-01-01T00:00:00Z' } });
    const seen: Conflict[] = [];
    const resolve = (conflict: Conflict): Decision => {
      seen.push(conflict);
      return { edits: [] };
    };
    const outbox = await openOutbox({ client: efb, store: memoryStore(), resolve });
    const [file, folder, full] = ['file one', 'folder one', 'folder full'];
    const bytes = new Uint8Array(pdfOf());
    await outbox.add(folder, { query: 'libraryFolderCreate', data: { name: 'Gone' } });
    await outbox.add(full, { query: 'libraryFolderCreate', data: { name: 'Full' } });
    const upload = { name: 'a.pdf', type: 'application/pdf', bytes };
    await outbox.add(file, { query: 'libraryUpload', data: { folderId: idOf(full) }, file: upload });
    expect(await outbox.flush()).toMatchObject({ sent: 3, left: 0 });
    const known = outbox.state(file);
    await efb.call('libraryFolderDelete', { folderId: outbox.state(folder).id ?? '' });
    await outbox.add(file, {
      query: 'libraryFileMove',
      data: { fileId: idOf(file), folderId: idOf(folder) },
    });
    await outbox.add(full, { query: 'libraryFolderDelete', data: { folderId: idOf(full) } });
    await outbox.flush();
    expect(seen.map(({ reason, error, isGone }) => [reason, error.code, isGone])).toEqual([
      ['deleted', 'FOLDER_NOT_FOUND', false],
      ['refused', 'FOLDER_NOT_EMPTY', false],
    ]);
    expect(outbox.state(file)).toEqual(known);
  });
});

test('An outbox file drops a half-written record, keeps bytes, and is rewritten when most of it is obsolete', async () => {
  const path = join(await testFolder(), 'outbox.jsonl');
  const bytes = new Uint8Array([0, 255, 128]);
  const first = await fileStore(path, files);
  await first.write({ a: { name: 'Ä', bytes }, b: [1] });
  await first.write({ b: undefined, c: null });
  await first.close();
  const whole = await readFile(path, 'utf8');
  await writeFile(path, `${whole}[["d",{"name":"Ä`);
  const second = await fileStore(path, files);
  const kept = [
    ['a', { name: 'Ä', bytes }],
    ['c', null],
  ];
  expect(await second.entries('')).toEqual(kept);
  expect(await second.entries('c')).toEqual([['c', null]]);
  expect(await readFile(path, 'utf8')).toBe(whole);
  await Promise.all(Array.from({ length: 1_200 }, (_, n) => second.write({ n })));
  await second.close();
  expect((await readFile(path, 'utf8')).length).toBeLessThan(10_000);
  const third = await fileStore(path, files);
  expect(await third.entries('')).toEqual([...kept, ['n', 1_199]]);
  await third.close();
});

test('A download resumes after a disconnect, but not with another file', async () => {
  const content = new Uint8Array(1_000).map((_, n) => n % 251);
  const asked: (string | null)[] = [];
  let etag = '"one"';
  const serve: typeof fetch = (_, init) => {
    const range = new Headers(init?.headers).get('range');
    asked.push(range);
    const from = Number(/\d+/.exec(range ?? '0')?.[0]);
    const isSame = range === null || new Headers(init?.headers).get('if-range') === etag;
    const start = isSame ? from : 0;
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => stream.enqueue(content.slice(start, start + 400)),
      pull: (stream) => (start + 400 >= content.length ? stream.close() : stream.error(new Error('cut'))),
    });
    const headers = { etag, 'content-length': String(content.length - start) };
    return Promise.resolve(new Response(body, { status: start > 0 ? 206 : 200, headers }));
  };
  const efb = clientOf({ fetch: serve, retries: 1 });
  const got: number[] = [];
  for await (const part of efb.download('https://files.example/1')) got.push(...part.bytes);
  expect([got, asked]).toEqual([[...content], [null, 'bytes=400-', 'bytes=800-']]);
  etag = '"two"';
  const rest = efb.download('https://files.example/1', { from: { received: 400, etag: '"one"' } });
  await expect(rest.next()).rejects.toMatchObject({ code: 'DOWNLOAD_CHANGED' } satisfies Partial<EfbError>);
});
