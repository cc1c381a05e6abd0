/** The change feed as a stream, across disconnects and the shutdown of its process. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hashOfKey } from '#platform/developer-keys.ts';
import { testApi } from '../api.ts';
import type { TestApi, TestUser } from '../api.ts';
import { refusal } from '../support/answers.ts';
import { openEvents } from '../support/event-stream.ts';
import { planOf, shareWith } from '../support/plans.ts';
import { runSql } from '../support/sql.ts';
import { twoApis } from '../support/two-apis.ts';
import type { TwoApis } from '../support/two-apis.ts';
import { until } from '../support/until.ts';

let both: TwoApis;
let captain: TestUser;
let mate: TestUser;
let ofpId: string;
beforeAll(async () => {
  both = await twoApis();
});
afterAll(() => both.close());
beforeEach(async () => {
  captain = await both.here.user();
  mate = await both.here.user();
  ofpId = await planOf(both.here, captain);
  await shareWith(both.here, ofpId, [captain, mate], 'edit');
});

const open = (api: TestApi, { token }: TestUser, { from = '', query = '' } = {}) =>
  openEvents(`${api.url}/api/changes${query}`, {
    authorization: `Bearer ${token}`,
    ...(from === '' ? {} : { 'last-event-id': from }),
  });
const save = (api: TestApi, { token }: TestUser, dataKey: string) =>
  api.call('flightDataSave', { token, data: { ofpId, dataKey, payload: {} } });
const eventOf = (...keys: string[]) => ({
  name: 'changes',
  data: { changes: keys.map((dataKey) => ({ kind: 'flightData', id: ofpId, dataKey })), hasMore: false },
});
const refused = async (response: Response) => [
  response.status,
  ((await response.json()) as { error: { code: string } }).error.code,
];

test('The stream begins with the current position of the feed, then reports what the other pilot saves through another process', async () => {
  const stream = await open(both.here, captain);
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
  expect(await stream.next()).toMatchObject({ name: 'changes', data: { changes: [], hasMore: false } });
  await save(both.there, mate, 'fuel');
  expect(await stream.next()).toMatchObject(eventOf('fuel'));
  stream.cut();
  await until('nobody waits', () => both.here.running.services.waiting.count() === 0);
});

test('After a disconnect the stream resumes at another process without gaps or repetitions', async () => {
  const stream = await open(both.here, captain, { query: '?kinds=flightData' });
  await stream.next();
  await save(both.there, mate, 'first');
  const last = await stream.next();
  await until('it waits', () => both.here.running.services.waiting.count() === 1);
  both.here.running.server.closeAllConnections();
  expect(await stream.next()).toBeNull();
  await save(both.there, mate, 'second');
  await save(both.there, captain, 'third');
  const resumed = await open(both.there, captain, { from: last?.id ?? '', query: '?kinds=flightData' });
  expect(await resumed.next()).toMatchObject(eventOf('second', 'third'));
  resumed.cut();
});

test('The stream ends with the reason when the session ends', async () => {
  const stream = await open(both.here, captain);
  await stream.next();
  await until('it waits', () => both.here.running.services.waiting.count() === 1);
  await runSql(both.here.context.postgres)`
    UPDATE app_user SET token_generation = token_generation + 1, chat_id = 'x' WHERE id = ${captain.id}`;
  expect(await stream.next()).toMatchObject({ name: 'end', data: { code: 'AUTH_REQUIRED' } });
  expect(await stream.next()).toBeNull();
});

test('When a process stops, its waiting clients are released at once', async () => {
  const ending = await testApi();
  const pilot = await ending.user();
  const since = String((await ending.call('changes', { token: pilot.token })).body['cursor']);
  const stream = await open(ending, pilot);
  await stream.next();
  const call = ending.call('changes', { token: pilot.token, data: { since, wait: 50 } });
  await until('both wait', () => ending.running.services.waiting.count() === 2);
  const end = ending.close();
  expect((await call).body).toMatchObject({ changes: [], hasMore: false });
  expect(await stream.next()).toBeNull();
  await end;
});

test('The stream refuses what the query refuses, before it begins', async () => {
  const { url } = both.here;
  expect(await refused(await fetch(`${url}/api/changes`))).toEqual([401, 'AUTH_REQUIRED']);
  const { response: foreign } = await open(both.here, captain, { from: '1~0123456789ab~1789560000~5:5:' });
  expect(foreign.status).toBe(410);
  const { response: unknown } = await open(both.here, captain, { query: '?kinds=balloon' });
  expect(unknown.status).toBe(400);
  const post = await fetch(`${url}/api/changes`, { method: 'POST' });
  expect([post.headers.get('allow'), ...(await refused(post))]).toEqual(['GET', 405, 'METHOD_NOT_ALLOWED']);
});

test('Revoking the presented developer key ends its streams and its waiting calls (G-05)', async () => {
  const { here } = both;
  const devKey = await here.key();
  const headers = { authorization: `Bearer ${captain.token}`, 'x-dev-key': devKey };
  const stream = await openEvents(`${here.url}/api/changes`, headers);
  const since = (await stream.next())?.id;
  const waiting = here.call('changes', { token: captain.token, devKey, data: { since, wait: 50 } });
  await until('both wait', () => here.running.services.waiting.count() === 2);
  await runSql(here.context.postgres)`
    UPDATE developer_key SET revoked_at = now() WHERE key_hash = ${hashOfKey(devKey)}`;
  await save(both.there, mate, 'secret');
  expect(await stream.next()).toMatchObject({ name: 'end', data: { code: 'INVALID_DEV_KEY' } });
  expect(refusal(await waiting)).toEqual([401, 'INVALID_DEV_KEY']);
});
