import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { flightDataWrites } from '#store/postgres/flight-data/flight-data.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { documentOf } from '#test/support/checklists.ts';
import { planOf, shareWith } from '#test/support/plans.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';
import { maxWaitingPerAccount } from '../../services/waiting.ts';
import type { ChangePage } from './common/feed.ts';

let api: TestApi;
let captain: TestUser;
let mate: TestUser;
let ofpId: string;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  api.context.clock.set('2026-09-16T12:00:00Z');
  captain = await api.user();
  mate = await api.user();
  ofpId = await planOf(api, captain);
});

const ask = ({ token }: TestUser, data: Record<string, unknown> = {}) => api.call('changes', { token, data });
const changesSince = async (user: TestUser, data: Record<string, unknown> = {}): Promise<ChangePage> => {
  const { status, body } = await ask(user, data);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body as unknown as ChangePage;
};
/** The current position of the feed. */
const here = async (user: TestUser): Promise<string> => (await changesSince(user)).cursor;
const save = ({ token }: TestUser, dataKey = 'fuel') =>
  api.call('flightDataSave', { token, data: { ofpId, dataKey, payload: {} } });
const section = (dataKey: string, revision: number, { id }: TestUser, deleted = false) => ({
  kind: 'flightData',
  id: ofpId,
  dataKey,
  revision,
  byUserId: id,
  deleted,
});
const isWaiting = (calls: number) => () => api.running.services.waiting.count() === calls;

describe('changes', () => {
  test('Without changes a sync is one call of less than 1 kB', async () => {
    const since = await here(captain);
    const { status, body } = await ask(captain, { since });
    expect([status, body]).toMatchObject([200, { changes: [], hasMore: false }]);
    expect(JSON.stringify(body).length).toBeLessThan(1_000);
  });

  test('Each row is listed once with its last state and who changed it, deleted rows included', async () => {
    const since = await here(captain);
    await save(captain, 'fuel');
    await save(captain, 'weights');
    await save(captain, 'fuel');
    expect((await changesSince(captain, { since })).changes).toEqual([
      section('weights', 1, captain),
      section('fuel', 2, captain),
    ]);
    await api.call('flightDataDelete', { token: captain.token, data: { ofpId, dataKey: 'fuel' } });
    await api.call('ofpDelete', { token: captain.token, data: { ofpId } });
    const { changes } = await changesSince(captain, { since, kinds: ['flightData', 'ofp'] });
    expect(changes).toMatchObject([
      { dataKey: 'weights' },
      { dataKey: 'fuel', deleted: true },
      { kind: 'ofp', id: ofpId, deleted: true, byUserId: captain.id },
    ]);
  });

  test('The crew of a shared plan receives its changes while it is shared, and a stranger never does', async () => {
    const stranger = await api.user();
    const [mateAt, strangerAt] = [await here(mate), await here(stranger)];
    await shareWith(api, ofpId, [captain, mate], 'edit');
    await save(captain);
    const first = await changesSince(mate, { since: mateAt });
    expect(first.changes).toMatchObject([
      { kind: 'ofpShare', revision: expect.any(Number), deleted: false },
      { kind: 'ofp', id: ofpId, revision: null, deleted: false },
      section('fuel', 1, captain),
    ]);
    const captainAt = await here(captain);
    await save(mate);
    expect((await changesSince(captain, { since: captainAt })).changes).toEqual([section('fuel', 2, mate)]);
    await runSql(api.context.postgres)`
      UPDATE ofp_share SET status = 'revoked', revoked_at = now() WHERE ofp_id = ${ofpId}`;
    await save(captain);
    expect((await changesSince(mate, { since: first.cursor })).changes).toMatchObject([
      section('fuel', 2, mate),
      { kind: 'ofpShare' },
      { kind: 'ofp', id: ofpId, deleted: true },
    ]);
    expect((await changesSince(stranger, { since: strangerAt })).changes).toEqual([]);
  });

  test('A change committed after one with a higher number is not lost', async () => {
    const since = await here(captain);
    const { postgres, clock } = api.context;
    const quota = { userId: captain.id, quotaMb: 10 };
    const call = { ofpId, userId: captain.id, now: clock.now(), lastDownloadedAt: null, quota };
    const written = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const payload = { text: '{}', bytes: 2 } as Parameters<
      ReturnType<typeof flightDataWrites>['save']
    >[0]['payload'];
    const slow = postgres.transaction(async (tx) => {
      await flightDataWrites(tx).save({ ...call, dataKey: 'slow', payload });
      written.resolve();
      await mayCommit.promise;
    });
    await written.promise;
    await save(captain, 'fast');
    const first = await changesSince(captain, { since });
    expect(first.changes).toEqual([section('fast', 1, captain)]);
    mayCommit.resolve();
    await slow;
    const second = await changesSince(captain, { since: first.cursor });
    expect(second.changes).toEqual([section('slow', 1, captain)]);
    expect((await changesSince(captain, { since: second.cursor })).changes).toEqual([]);
  });

  test('All pages show the state at one moment, and changes made meanwhile follow after the last page', async () => {
    const since = await here(captain);
    await runSql(api.context.postgres)`
      INSERT INTO row_change (audience, kind, row_id, is_deleted)
      SELECT ${`u${captain.id}`}, 'checklist', i::text, false FROM generate_series(1, 1200) i`;
    const told: string[] = [];
    let page = await changesSince(captain, { since });
    await save(captain);
    for (;;) {
      told.push(...page.changes.map(({ id }) => id));
      if (!page.hasMore) break;
      page = await changesSince(captain, { since: page.cursor });
    }
    expect(told).toEqual(Array.from({ length: 1_200 }, (_, i) => String(i + 1)));
    expect((await changesSince(captain, { since: page.cursor })).changes).toEqual([
      section('fuel', 1, captain),
    ]);
  });

  test('Changes of every kind that a client stores are listed for the owner', async () => {
    const since = await here(captain);
    const { token, id } = captain;
    await api.grant(captain, 'EFB_PRO_Y');
    const devKey = await api.key();
    const done = async (query: string, data: Record<string, unknown>) => {
      const answer = await api.call(query, { token, devKey, data });
      if (answer.status !== 200) throw new Error(`${query}: ${JSON.stringify(answer.body)}`);
      return answer;
    };
    const checklistId = at(
      await done('checklistSave', { name: 'Mine', checklist: documentOf() }),
      'data',
      'checklistId',
    );
    await done('fleetSave', {
      registration: 'D-FEED',
      basedOnProfile: 'A320-214',
      profileData: { weight: { mslw: 64_000 } },
    });
    const folderId = at(await done('libraryFolderCreate', { name: 'Manuals' }), 'folder', 'id');
    await done('updateProfile', { streamingActive: true });
    await done('saveUserSettings', { defaultUnit: 'IMPERIAL' });
    const news = await insertBySql<{ id: number }>(api.context.postgres)`
      INSERT INTO announcement (title, body, body_format, published_at, created_at)
      VALUES ('T', 'B', 'plain', now(), now()) RETURNING id`;
    const { changes } = await changesSince(captain, { since });
    const of = (kind: string) => changes.filter((change) => change.kind === kind);
    expect(of('checklist')).toMatchObject([{ id: checklistId, byUserId: id, deleted: false }]);
    expect(of('fleet')).toMatchObject([{ id: 'D-FEED', byUserId: id }]);
    expect(of('libraryFolder')).toMatchObject([{ id: folderId, byUserId: id }]);
    expect(of('preferences')).toMatchObject([{ id: String(id), byUserId: id, revision: expect.any(Number) }]);
    expect(of('profile')).toMatchObject([{ id: String(id), byUserId: id }]);
    expect(of('subscription')).toHaveLength(1);
    expect(of('announcement')).toMatchObject([{ id: String(news.id), byUserId: null }]);
  });

  test('The verification of an address is listed without a revision, since it does not raise that of the profile', async () => {
    const since = await here(captain);
    await runSql(
      api.context.postgres,
    )`UPDATE app_user SET email_verified_at = now() WHERE id = ${captain.id}`;
    expect((await changesSince(captain, { since })).changes).toMatchObject([
      { kind: 'profile', revision: null },
    ]);
    await api.call('updateProfile', { token: captain.token, data: { streamingActive: true } });
    expect((await changesSince(captain, { since })).changes).toMatchObject([
      { kind: 'profile', revision: expect.any(Number) },
    ]);
  });

  test('Members of a virtual airline receive changes of its checklists, others do not', async () => {
    const { postgres } = api.context;
    const { id: vaId } = await insertBySql<{ id: number }>(postgres)`
      INSERT INTO virtual_airline (name) VALUES (${`Feed ${captain.id}`}) RETURNING id`;
    await runSql(postgres)`INSERT INTO va_member (user_id, va_id) VALUES (${captain.id}, ${vaId})`;
    const [captainAt, mateAt] = [await here(captain), await here(mate)];
    await runSql(postgres)`
      INSERT INTO checklist (va_id, name, version, document, share_community, created_at, updated_at)
      VALUES (${vaId}, 'Line', '1', '{}', false, now(), now())`;
    expect((await changesSince(captain, { since: captainAt })).changes).toMatchObject([
      { kind: 'checklist', vaId, deleted: false },
    ]);
    expect((await changesSince(mate, { since: mateAt })).changes).toEqual([]);
  });

  test('A waiting call is answered by a change of the requested kinds only', async () => {
    const since = await here(captain);
    const waiting = changesSince(captain, { since, wait: 50, kinds: ['flightData'] });
    await until('it waits', isWaiting(1));
    await api.call('updateProfile', { token: captain.token, data: { chatId: 'chat-2' } });
    await save(captain);
    expect((await waiting).changes).toEqual([section('fuel', 1, captain)]);
    expect(isWaiting(0)()).toBe(true);
  });

  test('A disconnected client stops waiting, and the number of waiting calls per account is limited', async () => {
    const since = await here(captain);
    const leave = new AbortController();
    const calls = Array.from({ length: maxWaitingPerAccount }, () =>
      api
        .fetch('/api', {
          method: 'POST',
          signal: leave.signal,
          headers: { 'content-type': 'application/json', authorization: `Bearer ${captain.token}` },
          body: JSON.stringify({ query: 'changes', data: { since, wait: 50 } }),
        })
        .catch(() => null),
    );
    await until('all wait', isWaiting(maxWaitingPerAccount));
    expect(refusal(await ask(captain, { since, wait: 50 }))).toEqual([429, 'TOO_MANY_WAITING']);
    leave.abort();
    await Promise.all(calls);
    await until('nobody waits', isWaiting(0));
  });

  test('A waiting call is answered with the end of the session instead of a change', async () => {
    const since = await here(captain);
    const waiting = ask(captain, { since, wait: 50 });
    await until('it waits', isWaiting(1));
    await runSql(api.context.postgres)`
      UPDATE app_user SET token_generation = token_generation + 1, chat_id = 'x' WHERE id = ${captain.id}`;
    expect(refusal(await waiting)).toEqual([401, 'AUTH_REQUIRED']);
  });

  test('A cursor is valid for 30 days and only for its own database', async () => {
    const since = await here(captain);
    const foreign = since.replace(/^1~[^~]+/, '1~0123456789ab');
    expect(refusal(await ask(captain, { since: foreign }))).toEqual([410, 'SINCE_TOO_OLD']);
    api.context.clock.advance(29 * 86_400);
    const later = await api.user();
    expect((await ask(later, { since })).status).toBe(200);
    api.context.clock.advance(1.1 * 86_400);
    expect(refusal(await ask(await api.user(), { since }))).toEqual([410, 'SINCE_TOO_OLD']);
  });

  test.each([
    'x',
    '1~a~1~5:4:',
    '1~a~1~5:6:6',
    '1~a~1~0:6:',
    '1~a~1~5:9:7,6',
    '1~a~1~5:6:~5:6:',
    '1~a~1~5:99999999999999999999:',
  ])('A cursor %j that was never issued is refused', async (since) => {
    expect(refusal(await ask(captain, { since }))).toEqual([400, 'INVALID_FIELD']);
  });

  test.each([[{ wait: 51 }], [{ wait: 1.5 }], [{ kinds: ['balloon'] }], [{ kinds: 'ofp' }], [{ since: 7 }]])(
    'Input %j is refused',
    async (data) => {
      expect(refusal(await ask(captain, data))).toEqual([400, 'INVALID_FIELD']);
    },
  );
});
