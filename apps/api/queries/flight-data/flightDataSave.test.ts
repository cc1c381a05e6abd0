import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '#test/api.ts';
import type { Answer, TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { planOf, shareWith } from '#test/support/plans.ts';
import { loggedCall } from '#test/support/request-log.ts';

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
  api.context.clock.set('2026-09-16T12:00:00Z');
});

type Fields = Record<string, unknown>;
const save = (fields: Fields, { token } = pilot) =>
  api.call('flightDataSave', { token, data: { ofpId, payload: {}, ...fields } });
const stored = async (fields: Fields = {}, { token } = pilot): Promise<Record<string, unknown>> =>
  at(await api.call('flightDataGet', { token, data: { ofpId, ...fields } }), 'data') as Record<
    string,
    unknown
  >;
const version = (answer: Answer) => at(answer, 'data', 'version');
const maxBytes = 4_194_304;

describe('flightDataSave', () => {
  test('A save answers the stored row with its version, times and users, as flightDataGet returns it (M-2.3.g2, M-2.3.f1, M-2.3.f2, M-2.3.f3, M-2.3.f4, M-2.3.f5, M-2.3.f6, M-2.3.f7, M-2.3.f8, M-2.1.6)', async () => {
    const { status, body } = await save({ payload: { block: 8_400 } });
    const row = {
      ofpId,
      dataKey: 'default',
      payload: { block: 8_400 },
      version: 1,
      createdAt: '2026-09-16 12:00:00',
      updatedAt: '2026-09-16 12:00:00',
      createdByUserId: pilot.id,
      updatedByUserId: pilot.id,
    };
    expect([status, body]).toEqual([200, { success: true, apiVersion: '1.3.6', data: row }]);
    expect(await stored()).toEqual(row);
    api.context.clock.advance(90.4);
    const again = await save({ payload: [1], expectedVersion: 1 });
    const next = { ...row, payload: [1], version: 2, updatedAt: '2026-09-16 12:01:30' };
    expect(again.body['data']).toEqual(next);
    expect(await stored()).toEqual(next);
  });

  test('Rows are independent by key and by plan, and keys are case-sensitive (M-2.3.k1, M-4.2.q3)', async () => {
    const other = await api.user();
    await save({ dataKey: 'Fuel.v1_a-b', payload: { of: 'fuel' } });
    await save({ dataKey: 'fuel.v1_a-b', payload: { of: 'other key' } });
    await save({ ofpId: await planOf(api, pilot), dataKey: 'Fuel.v1_a-b', payload: { of: 'other plan' } });
    await save({ ofpId: await planOf(api, other), dataKey: 'Fuel.v1_a-b', payload: { of: 'other' } }, other);
    expect(await stored({ dataKey: 'Fuel.v1_a-b' })).toMatchObject({ payload: { of: 'fuel' }, version: 1 });
    expect(await stored({ dataKey: 'k'.repeat(64) })).toBeUndefined();
    expect((await save({ dataKey: 'k'.repeat(64) })).status).toBe(200);
  });

  test.each([
    [{ '': 0, 'ü\u0000': '\u0000', a: [[], {}, null, -0.5, 1e21, true, '\ud800', '😀'], '2': 1, '1': 2 }],
    [[]],
    [{}],
    [[1, [2, [3]]]],
    ['{"a":1}'],
    ['not JSON "\\ \u0000\u2028'],
    [''],
    ['null'],
  ])(
    'A payload %j is returned unchanged with the same type (M-2.3.k2, M-2.3.2a, M-2.3.2b)',
    async (payload) => {
      expect((await save({ payload })).body['data']).toMatchObject({ payload });
      expect((await stored())['payload']).toEqual(payload);
      const current = (await save({ expectedVersion: 9 })).body['current'] as Record<string, unknown>;
      expect(current['payload']).toEqual(payload);
    },
  );

  test('A payload is opaque: names, numbers and their notation are returned unchanged (M-2.3.k2, M-2.3.2a)', async () => {
    const post = async (body: string, token = pilot.token) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await api.fetch('/api', { method: 'POST', headers, body });
      return { status: answer.status, text: await answer.text() };
    };
    const payload = '{"__proto__": {"x":1},"n":[1.10,9007199254740993,1e400,-0],"n":0,"2":1,"1":2}';
    const saveText = (sent: string) =>
      post(`{"query":"flightDataSave","data":{"ofpId":"${ofpId}","payload":${sent}}}`);
    const { text, status } = await saveText(payload);
    expect([status, text]).toEqual([200, expect.stringContaining(`"payload":${payload}`)]);
    const read = await post(`{"query":"flightDataGet","data":{"ofpId":"${ofpId}"}}`);
    expect(read.text).toContain(`"payload":${payload}`);
    const outside = await post(`{"query":"flightDataSave","data":{"__proto__":{"a":1},"payload":{}}}`);
    expect([outside.status, outside.text]).toEqual([400, expect.stringContaining('INVALID_JSON')]);
    const deep = await saveText(`${'['.repeat(70)}${']'.repeat(70)}`);
    expect([deep.status, deep.text]).toEqual([400, expect.stringContaining('JSON_TOO_DEEP')]);
  });

  test('A payload has at most 4 MB as stored: 4,194,304 bytes are accepted, one more is not (M-4.2.q3b, M-8.3, M-7.d9)', async () => {
    const sized = (bytes: number): unknown[] => [
      '"'.repeat(bytes / 2) + 'ä'.repeat(bytes / 4) + 'x'.repeat(bytes % 4),
      { t: 'x'.repeat(bytes - 8) },
    ];
    for (const payload of sized(maxBytes)) {
      const { status, body } = await save({ payload });
      expect([status, at({ body } as Answer, 'data', 'payload') === payload]).toEqual([
        200,
        typeof payload === 'string',
      ]);
    }
    expect(Object.keys((await stored())['payload'] as object)).toEqual(['t']);
    for (const payload of sized(maxBytes + 1))
      expect(refusal(await save({ payload }))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(refusal(await save({ payload: 'x'.repeat(2 * maxBytes) }))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const list = await api.call('flightDataList', { token: pilot.token, data: { ofpId } });
    expect(at(list, 'items', 0, 'payloadBytes')).toBe(maxBytes);
  });

  test('The request log has the call without its payload in request and response (M-8.24)', async () => {
    const answer = await save({ payload: { note: 'canary-in-payload'.repeat(10) }, dataKey: 'logged' });
    const { request, response } = await loggedCall(api, answer);
    expect(JSON.parse(request ?? '')).toMatchObject({
      query: 'flightDataSave',
      data: { ofpId, dataKey: 'logged', payload: expect.stringMatching(/^\[part of \d+ bytes\]$/) },
    });
    expect(JSON.parse(response ?? '')).toMatchObject({ data: { version: 1, payload: '[181 bytes]' } });
  });

  test('An existing row is changed only with its version, where 0 and null mean that none exists (M-2.3.1a, M-2.3.1d, M-2.3.1e, A-02, M-7.d10)', async () => {
    expect(version(await save({ expectedVersion: 0 }))).toBe(1);
    for (const expectedVersion of [0, null, 2, 7])
      expect(refusal(await save({ expectedVersion }))).toEqual([409, 'VERSION_CONFLICT']);
    expect(version(await save({ expectedVersion: 1 }))).toBe(2);
    expect(refusal(await save({ expectedVersion: 1 }))).toEqual([409, 'VERSION_CONFLICT']);
    expect(version(await save({ dataKey: 'null', expectedVersion: null }))).toBe(1);
  });

  test('Any expected version creates a row that does not exist (A-03)', async () => {
    expect(version(await save({ expectedVersion: 5, lastDownloadedAt: '2020-01-01T00:00:00Z' }))).toBe(1);
  });

  test('With neither version nor time the last save wins (M-2.3.1c)', async () => {
    expect([version(await save({})), version(await save({ payload: 'last' }))]).toEqual([1, 2]);
    expect(await stored()).toMatchObject({ payload: 'last', version: 2 });
  });

  test('A row newer than the download is not changed, and an equal time is no conflict (M-2.3.1b, A-01)', async () => {
    api.context.clock.set('2026-09-16T12:00:00.900Z');
    await save({});
    const before = [
      '2026-09-16 11:59:59',
      '2026-09-16T11:59:59.999Z',
      '2026-09-16T13:59:59+02:00',
      '2026-09-16',
    ];
    for (const lastDownloadedAt of before)
      expect(refusal(await save({ lastDownloadedAt }))).toEqual([409, 'VERSION_CONFLICT']);
    const same = ['2026-09-16 12:00:00', '2026-09-16T12:00:00Z', '2026-09-16T14:00:00.0+0200', null];
    for (const [i, lastDownloadedAt] of same.entries()) {
      api.context.clock.set('2026-09-16T12:00:00.900Z');
      await save({ dataKey: `k${i}` });
      expect(version(await save({ dataKey: `k${i}`, lastDownloadedAt }))).toBe(2);
    }
    const later = ['2026-09-16T14:00:59+02:00', '2026-09-16t12:00:59z', '2026-09-17'];
    const warnings = [];
    for (const lastDownloadedAt of later) {
      const answer = await save({ lastDownloadedAt });
      expect(answer.status).toBe(200);
      warnings.push(at(answer, 'warnings', 0));
    }
    expect(warnings).toEqual(
      later.map(() => ({
        code: 'CLOCK_AHEAD',
        message: expect.stringContaining('updatedAt'),
        serverTime: '2026-09-16 12:00:00',
      })),
    );
    const inTime = await save({ dataKey: 'new', lastDownloadedAt: '2026-09-16 12:00:00' });
    expect(inTime.body).not.toHaveProperty('warnings');
    expect(refusal(await save({ expectedVersion: 99, lastDownloadedAt: '2030-01-01T00:00:00Z' }))).toEqual([
      409,
      'VERSION_CONFLICT',
    ]);
  });

  test('Of 20 simultaneous saves with the first lastDownloadedAt one wins, and 19 get the conflict (M-2.3.1b, A-01)', async () => {
    api.context.clock.set('2026-09-16T12:00:00.900Z');
    const lastDownloadedAt = at(await save({}), 'data', 'updatedAt');
    api.context.clock.set('2026-09-16T12:00:01.000Z');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => save({ payload: { i }, lastDownloadedAt })),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array<number>(19).fill(409)]);
    expect((await stored())['version']).toBe(2);
  });

  test('Times follow the clock after 104 saves in a second, and a download at that moment can be saved (M-2.3.1b, M-2.3.f6, M-2.3.h9)', async () => {
    api.context.clock.set('2026-09-16T12:00:00.200Z');
    for (let i = 1; i < 104; i += 1) await save({ payload: { i } });
    const last = await save({});
    expect([version(last), at(last, 'data', 'updatedAt')]).toEqual([104, '2026-09-16 12:00:00']);
    const history = await api.call('flightDataHistory', { token: pilot.token, data: { ofpId } });
    expect(at(history, 'items', 0)).toMatchObject({ version: 104, changedAt: '2026-09-16 12:00:00' });
    for (const lastDownloadedAt of [
      '2026-09-16T12:00:00.200Z',
      '2026-09-16T12:00:00Z',
      at(last, 'data', 'updatedAt'),
    ])
      expect((await save({ lastDownloadedAt })).status).toBe(200);
  });

  test('Fractions are compared to the millisecond, for deletions, too, and a clock set back moves no time back (M-2.3.1b)', async () => {
    api.context.clock.set('2026-09-16T12:00:00.900Z');
    await save({});
    expect(refusal(await save({ lastDownloadedAt: '2026-09-16T12:00:00.899Z' }))).toEqual([
      409,
      'VERSION_CONFLICT',
    ]);
    api.context.clock.set('2026-09-16T11:57:00.000Z');
    const back = await save({ lastDownloadedAt: '2026-09-16T12:00:00.900Z' });
    expect([version(back), at(back, 'data', 'updatedAt')]).toEqual([2, '2026-09-16 12:00:00']);
    api.context.clock.set('2026-09-16T12:00:01.100Z');
    await api.call('flightDataDelete', { token: pilot.token, data: { ofpId } });
    expect(at(await save({}), 'data', 'updatedAt')).toBe('2026-09-16 12:00:01');
    expect(refusal(await save({ lastDownloadedAt: '2026-09-16 12:00:00' }))).toEqual([
      409,
      'VERSION_CONFLICT',
    ]);
  });

  test('A conflict has the whole current row, so that cancel, download and override work (M-2.3.c1, M-2.3.1g, M-4.2.q6, J-04)', async () => {
    await save({ payload: { by: 'A' } });
    api.context.clock.advance(5);
    await save({ payload: { by: 'A', again: true }, expectedVersion: 1 });
    const conflict = await save({ payload: { by: 'B' }, expectedVersion: 1 });
    expect(conflict.status).toBe(409);
    const current = await stored();
    expect(conflict.body).toEqual({
      success: false,
      error: {
        code: 'VERSION_CONFLICT',
        status: 409,
        docUrl: expect.stringMatching(/\/docs\/guide\/errors#VERSION_CONFLICT$/),
        message: 'The stored data are newer. Take them over, or save again with their version and updatedAt.',
      },
      current,
    });
    // Cancel: nothing has changed. Download: `current` is what flightDataGet returns. Override:
    const override = await save({
      payload: { by: 'B' },
      expectedVersion: current['version'],
      lastDownloadedAt: current['updatedAt'],
    });
    expect(override.body['data']).toMatchObject({ payload: { by: 'B' }, version: 3 });
  });

  test.each([
    ['a new row', 0, 1],
    ['a row', 1, 2],
    ['a deleted row', 0, 3],
  ])(
    'Of 50 simultaneous saves of %s with the same expectedVersion exactly one succeeds (M-2.3.1f)',
    async (kind, expectedVersion, saved) => {
      if (kind !== 'a new row') await save({});
      if (kind === 'a deleted row')
        await api.call('flightDataDelete', { token: pilot.token, data: { ofpId } });
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => save({ expectedVersion, payload: { i } })),
      );
      const winners = answers.filter(({ status }) => status === 200);
      expect([winners.length, version(winners[0] as Answer)]).toEqual([1, saved]);
      const losers = answers.filter(({ status }) => status === 409);
      expect(losers.length).toBe(49);
      const row = winners[0]?.body['data'];
      expect(losers.map(({ body }) => body['current'])).toEqual(losers.map(() => row));
      expect(await stored()).toEqual(row);
      const { changes } = await api.context.postgres.db.one<{ changes: number }>(sql`
      SELECT count(*) AS changes FROM flight_data_change c JOIN flight_data f ON f.id = c.flight_data_id
      WHERE f.ofp_id = ${ofpId} AND c.version = ${saved}`);
      expect(changes).toBe(1);
    },
  );

  test('With an edit share the recipient writes the owner’s row, with a view share nobody does (M-2.3.3c, M-2.3.3d, M-2.3.3e, M-7.s12, J-05)', async () => {
    const [editor, viewer, stranger] = [await api.user(), await api.user(), await api.user()];
    await shareWith(api, ofpId, [pilot, editor], 'edit');
    await shareWith(api, ofpId, [pilot, viewer], 'view');
    await save({ payload: 'by the owner' });
    const shared = await save({ payload: 'by the editor', expectedVersion: 1 }, editor);
    expect(shared.body['data']).toMatchObject({ createdByUserId: pilot.id, updatedByUserId: editor.id });
    expect(await stored()).toMatchObject({ payload: 'by the editor', version: 2 });
    expect((await save({ dataKey: 'new' }, editor)).status).toBe(200);
    expect(await stored({ dataKey: 'new' })).toMatchObject({ createdByUserId: editor.id });
    expect(refusal(await save({}, viewer))).toEqual([403, 'INSUFFICIENT_PERMISSION']);
    expect(refusal(await save({ expectedVersion: 7 }, viewer))).toEqual([403, 'INSUFFICIENT_PERMISSION']);
    expect(refusal(await save({}, stranger))).toEqual([404, 'OFP_NOT_FOUND']);
    expect(await stored()).toMatchObject({ version: 2 });
  });

  test('Every input error has its code (M-7.d2, M-7.d3, M-7.d4, M-7.d6, M-7.d7, M-7.d8, M-2.1.4a)', async () => {
    const cases: [string, number, Fields][] = [
      ['INVALID_OFP_ID', 400, { ofpId: undefined }],
      ['INVALID_OFP_ID', 400, { ofpId: '' }],
      ['INVALID_OFP_ID', 400, { ofpId: '../x' }],
      ['INVALID_OFP_ID', 400, { ofpId: 7, payload: 7 }],
      ['INVALID_OFP_ID', 400, { ofpId: 'x'.repeat(65) }],
      ['INVALID_DATA_KEY', 400, { dataKey: 'k'.repeat(65) }],
      ['INVALID_DATA_KEY', 400, { dataKey: 'a b' }],
      ['INVALID_DATA_KEY', 400, { dataKey: '' }],
      ['INVALID_DATA_KEY', 400, { dataKey: 'ä' }],
      ['MISSING_PAYLOAD', 400, { payload: undefined }],
      ['INVALID_PAYLOAD', 400, { payload: 42 }],
      ['INVALID_PAYLOAD', 400, { payload: true }],
      ['INVALID_PAYLOAD', 400, { payload: null }],
      ['INVALID_FIELD', 400, { expectedVersion: -1 }],
      ['INVALID_FIELD', 400, { expectedVersion: 1.5 }],
      ['INVALID_FIELD', 400, { expectedVersion: '1' }],
      ['INVALID_TIMESTAMP', 400, { lastDownloadedAt: 'yesterday' }],
      ['INVALID_TIMESTAMP', 400, { lastDownloadedAt: '2026-02-30T00:00:00Z' }],
      ['INVALID_TIMESTAMP', 400, { lastDownloadedAt: '2026-09-16T25:00:00Z' }],
      ['INVALID_TIMESTAMP', 400, { lastDownloadedAt: '' }],
      ['INVALID_TIMESTAMP', 400, { lastDownloadedAt: 1_789_560_000 }],
      ['OFP_NOT_FOUND', 404, { ofpId: 'OFP-NONE' }],
    ];
    for (const [code, status, fields] of cases) {
      const answer = await save(fields);
      expect([fields, ...refusal(answer), at(answer, 'error', 'status')]).toEqual([
        fields,
        status,
        code,
        status,
      ]);
    }
  });

  test('A misspelt name is reported, and without a token nothing is saved (M-7.d1)', async () => {
    const answer = await save({ expectedversion: 1 });
    expect(answer.body['ignored']).toEqual([expect.stringContaining('expectedVersion')]);
    const refused = await api.call('flightDataSave', { data: { ofpId, payload: {} } });
    expect(refusal(refused)).toEqual([401, 'AUTH_REQUIRED']);
  });
});
