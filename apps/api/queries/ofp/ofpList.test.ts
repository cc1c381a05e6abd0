import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OfpSummary } from '#domain/ofp/summary.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';
import { planDocument } from '#test/support/ofp.ts';
import { shareWith } from '#test/support/plans.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let user: TestUser;
const ids: string[] = [];
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  for (let i = 0; i < 7; i += 1) {
    // Two imported at the same time are ordered by id.
    if (i !== 3) api.context.clock.advance(1);
    const data = { source: 'json', name: `P${i}`, document: planDocument({ requestId: `r${i}` }) };
    const { body } = await api.call('ofpImport', { token: user.token, data });
    ids.unshift(String(body['ofpId']));
  }
});
afterAll(() => api.close());

const list = (data: unknown = {}, { token } = user) => api.call('ofpList', { token, data });
const itemsOf = ({ body }: Awaited<ReturnType<typeof list>>) => body['items'] as OfpSummary[];

describe('ofpList', () => {
  test('A user’s plans are listed with summary and permission, the latest import first (M-4.2.q7, G-06)', async () => {
    const answer = await list();
    expect(answer.body).toMatchObject({ success: true, count: 7, hasMore: false, nextCursor: null });
    const names = itemsOf(answer).map(({ name }) => name);
    expect([names.slice(0, 3), names.slice(5)]).toEqual([
      ['P6', 'P5', 'P4'],
      ['P1', 'P0'],
    ]);
    expect(itemsOf(answer)[0]).toEqual(
      expect.objectContaining({
        ofpId: ids[0],
        access: 'owner',
        ownerUserId: user.id,
        source: 'json',
        revision: 1,
        origin: { icao: 'KBOS', iata: 'BOS', name: 'KBOS SYNTHETIC', runway: '04R' },
        plannerRequestId: 'r6',
        importedAt: expect.stringMatching(/^2026-09-16T12:0\d:\d\dZ$/),
        isStale: false,
      }),
    );
    expect(itemsOf(answer)[0]).not.toHaveProperty('performanceDefaults');
  });

  test('Pages of any size together contain every plan once, in order', async () => {
    const all = itemsOf(await list()).map(({ ofpId }) => ofpId);
    for (const limit of [1, 2, 3, 7]) {
      const found: string[] = [];
      let before: unknown;
      do {
        const answer = await list({ limit, before });
        found.push(...itemsOf(answer).map(({ ofpId }) => ofpId));
        before = answer.body['nextCursor'];
        expect(answer.body['hasMore']).toBe(before !== null);
      } while (before !== null);
      expect(found).toEqual(all);
    }
  });

  test('A cursor under an unknown name is reported in the answer', async () => {
    expect((await list({ cursor: 'x' })).body['ignored']).toEqual([expect.stringContaining('cursor')]);
  });

  test('Other users’ plans are never listed, and without shares the shared list is empty', async () => {
    const stranger = await api.user();
    expect(itemsOf(await list({ include: 'all' }, stranger))).toEqual([]);
    expect(itemsOf(await list({ include: 'shared' }))).toEqual([]);
    expect(itemsOf(await list({ include: 'all' }))).toHaveLength(7);
  });

  test('Shared plans are listed for their recipients with the permission while the share is valid (M-2.3.3b)', async () => {
    const [viewer, editor] = [await api.user(), await api.user()];
    const [first = '', second = ''] = ids;
    await shareWith(api, first, [user, viewer], 'view');
    await shareWith(api, second, [user, viewer], 'edit');
    await shareWith(api, second, [user, viewer], 'view');
    await shareWith(api, first, [user, editor], 'edit');
    await api.call('flightDataSave', { token: editor.token, data: { ofpId: first, payload: {} } });
    const shown = async (include: string, reader = viewer) =>
      (itemsOf(await list({ include }, reader)) as unknown as Record<string, unknown>[])
        .slice(0, 2)
        .map((item) => [item['ofpId'], item['access'], item['flightDataCount'], item['shareCount']]);
    expect(await shown('shared')).toEqual([
      [first, 'view', 1, 0],
      [second, 'edit', 0, 0],
    ]);
    expect(await shown('all')).toEqual(await shown('shared'));
    expect(await shown('own')).toEqual([]);
    expect(await shown('shared', editor)).toEqual([[first, 'edit', 1, 0]]);
    expect(await shown('own', user)).toEqual([
      [first, 'owner', 1, 2],
      [second, 'owner', 0, 2],
    ]);
    await runSql(api.context.postgres)`
      UPDATE ofp_share SET status = 'revoked', revoked_at = now() WHERE ofp_id = ${first}`;
    await runSql(api.context.postgres)`
      UPDATE ofp_share SET expires_at = ${api.context.clock.now()} WHERE ofp_id = ${second}`;
    expect(await shown('all')).toEqual([]);
    expect((await shown('own', user)).map((item) => item[3])).toEqual([0, 0]);
  });

  test('The number flightDataRevision rises with every save, deletion and restoration of a section, and with nothing else', async () => {
    const pilot = await api.user();
    const data = { source: 'json', document: planDocument({ requestId: 'revised' }) };
    await api.call('ofpImport', { token: pilot.token, data });
    const ofpId = itemsOf(await list({}, pilot))[0]?.ofpId;
    const revision = async () =>
      (itemsOf(await list({}, pilot))[0] as unknown as { flightDataRevision: number }).flightDataRevision;
    const seen = [await revision()];
    for (const [query, more] of [
      ['flightDataSave', { payload: {} }],
      ['flightDataSave', { payload: [] }],
      ['flightDataSave', { dataKey: 'fuel', payload: {} }],
      ['flightDataDelete', {}],
      ['flightDataSave', { payload: {} }],
      ['flightDataDelete', { dataKey: 'fuel' }],
    ] as const) {
      await api.call(query, { token: pilot.token, data: { ofpId, ...more } });
      seen.push(await revision());
    }
    expect(seen[0]).toBe(0);
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b));
    expect(await revision()).toBe(seen.at(-1));
  });

  test.each([
    [{ before: 'x' }, 400, 'INVALID_FIELD'],
    [{ before: `1~${'x'.repeat(65)}` }, 400, 'INVALID_FIELD'],
    [{ before: "1~'; DROP TABLE ofp" }, 400, 'INVALID_FIELD'],
    [{ before: 999_999_999_999_999 }, 400, 'INVALID_FIELD'],
    [{ before: '999999999999999~x' }, 200, null],
    [{ include: 'theirs' }, 400, 'INVALID_FIELD'],
    [{ limit: 5_000 }, 200, null],
    [{ limit: 'all' }, 200, null],
  ])('The input %j is refused with %i %s', async (data, status, code) => {
    expect(refusal(await list(data))).toEqual([status, code]);
  });

  test('A plan is stale a day after it was generated', async () => {
    api.context.clock.advance(80_000);
    expect(itemsOf(await list()).every(({ isStale }) => isStale)).toBe(true);
    api.context.clock.advance(-80_000);
  });

  test('A call without a token is refused', async () => {
    expect(refusal(await api.call('ofpList'))).toEqual([401, 'AUTH_REQUIRED']);
  });
});
