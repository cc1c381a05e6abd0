import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { planOf, shareWith } from '#test/support/plans.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let pilot: TestUser;
let ofpId: string;
beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
});
afterAll(() => api.close());
beforeEach(async () => {
  ofpId = await planOf(api, pilot);
});

type Item = Record<string, unknown>;
const call = (name: string, fields: Record<string, unknown> = {}, { token } = pilot) =>
  api.call(name, { token, data: { ofpId, ...fields } });
const save = (payload: unknown, user = pilot) => call('flightDataSave', { payload }, user);
const history = (fields: Record<string, unknown> = {}, user = pilot) =>
  call('flightDataHistory', fields, user);
const items = async (fields: Record<string, unknown> = {}): Promise<Item[]> =>
  at(await history(fields), 'items') as Item[];

describe('flightDataHistory', () => {
  test('Every save and deletion is listed, newest first, with user and time (M-2.3.h1, M-2.3.h2, M-2.3.h3, M-2.3.h4, M-2.3.h5, M-2.3.h6, M-2.3.h7, M-2.3.h8, M-2.3.h9, M-2.3.h10, M-2.3.h12)', async () => {
    const editor = await api.user();
    await shareWith(api, ofpId, [pilot, editor], 'edit');
    await save({ n: 1 });
    api.context.clock.advance(1);
    await save('text', editor);
    api.context.clock.advance(1);
    await call('flightDataDelete');
    await save([]);
    const answer = await history();
    const { items: found, ...rest } = answer.body as { items: Item[] };
    expect([answer.status, rest]).toEqual([
      200,
      { success: true, apiVersion: '1.3.6', ofpId, dataKey: 'default', count: 4 },
    ]);
    const by = { changedByUserId: pilot.id, id: expect.any(Number) };
    expect(found).toEqual([
      { ...by, version: 4, changeType: 'insert', payloadBytes: 2, changedAt: '2026-09-16 12:00:02' },
      { ...by, version: 3, changeType: 'delete', payloadBytes: 4, changedAt: '2026-09-16 12:00:02' },
      {
        ...by,
        version: 2,
        changeType: 'update',
        payloadBytes: 4,
        changedAt: '2026-09-16 12:00:01',
        changedByUserId: editor.id,
      },
      { ...by, version: 1, changeType: 'insert', payloadBytes: 7, changedAt: '2026-09-16 12:00:00' },
    ]);
    const ids = found.map(({ id }) => Number(id));
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    api.context.clock.advance(-2);
  });

  test('With includePayload each entry has the payload of its version in its original type, a deletion the deleted one (M-2.3.h11, M-4.2.q5, G-15, J-04)', async () => {
    const payloads = [{ n: 1 }, '{"n":2}', [3]];
    for (const payload of payloads) await save(payload);
    await call('flightDataDelete');
    expect((await items({ includePayload: true })).map(({ payload }) => payload)).toEqual([
      [3],
      ...payloads.toReversed(),
    ]);
    for (const includePayload of [false, undefined, null])
      for (const item of await items({ includePayload })) expect(item).not.toHaveProperty('payload');
    expect(refusal(await history({ includePayload: 'yes' }))).toEqual([400, 'INVALID_FIELD']);
  });

  test('The default is 20 entries, the maximum 100 (M-4.2.q5, M-8.4, A-30)', async () => {
    await Promise.all(Array.from({ length: 102 }, (_, n) => save({ n })));
    const counts = [];
    for (const limit of [undefined, null, 5, 100, 500, 0, -1]) counts.push((await items({ limit })).length);
    expect(counts).toEqual([20, 20, 5, 100, 100, 1, 1]);
    const found: unknown[] = [];
    for (let before: unknown; found.length < 102;) {
      const page = await items({ limit: 40, before });
      expect(page.length).toBeGreaterThan(0);
      found.push(...page.map(({ version }) => version));
      before = page.at(-1)?.['id'];
    }
    expect(found).toEqual(Array.from({ length: 102 }, (_, i) => 102 - i));
    expect(refusal(await history({ before: 'x' }))).toEqual([400, 'INVALID_FIELD']);
  });

  test('An answer has payloads for the newest entries only, at most 16 MB in all', async () => {
    await save('first');
    await runSql(api.context.postgres)`
      INSERT INTO flight_data_change (flight_data_id, version, change_type, payload, payload_bytes, changed_at, changed_by)
      SELECT id, n + 1, 'update', '"' || repeat(n::text, 4000000) || '"', 4000000, updated_at, updated_by
      FROM flight_data, generate_series(1, 5) n WHERE ofp_id = ${ofpId} ORDER BY n`;
    const found = await items({ includePayload: true });
    const begins = found.map(({ payload }) => (typeof payload === 'string' ? payload.slice(0, 1) : null));
    expect(begins).toEqual(['5', '4', '3', '2', null, null]);
    expect(found.map(({ payloadBytes }) => payloadBytes)).toEqual([
      ...begins.slice(1).map(() => 4_000_000),
      5,
    ]);
  });

  test('A section that never existed has an empty history, which a viewer may read and a stranger may not (M-2.3.3a, M-2.3.3b)', async () => {
    const [viewer, stranger] = [await api.user(), await api.user()];
    await shareWith(api, ofpId, [pilot, viewer], 'view');
    expect((await history({ dataKey: 'none' }, viewer)).body).toMatchObject({ count: 0, items: [] });
    expect(refusal(await history({}, stranger))).toEqual([404, 'OFP_NOT_FOUND']);
  });

  test.each<[string, number, Record<string, unknown>]>([
    ['INVALID_OFP_ID', 400, { ofpId: null }],
    ['INVALID_DATA_KEY', 400, { dataKey: 'ä' }],
    ['OFP_NOT_FOUND', 404, { ofpId: 'OFP-NONE' }],
  ])('The error is %s with status %i for %j (M-7.d2, M-7.d3, M-7.d4)', async (code, status, fields) => {
    expect(refusal(await history(fields))).toEqual([status, code]);
  });

  test('A call without a token is refused (M-7.d1)', async () => {
    expect(refusal(await api.call('flightDataHistory', { data: { ofpId } }))).toEqual([401, 'AUTH_REQUIRED']);
  });
});
