import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ofpRepo } from '#store/postgres/ofp/ofps.ts';
import { normalizedOfpSchema } from '#domain/ofp/schema.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { at, refusal } from '#test/support/answers.ts';
import { dataOf, fleetCalls } from '#test/support/fleet.ts';
import { planDocument } from '#test/support/ofp.ts';
import { shareWith } from '#test/support/plans.ts';
import { runSql } from '#test/support/sql.ts';
import { statementsDuring } from '#test/support/statements.ts';

let api: TestApi;
let user: TestUser;
let ofpId: string;
const document = planDocument();
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  ofpId = String((await importPlan(document)).body['ofpId']);
});
afterAll(() => api.close());

const importPlan = (plan: unknown, more = {}) =>
  api.call('ofpImport', { token: user.token, data: { source: 'json', document: plan, ...more } });
const get = (data: object = {}, { token } = user) => api.call('ofpGet', { token, data: { ofpId, ...data } });

describe('ofpGet', () => {
  test('The answer has the summary, the normalised plan and the document as imported (M-4.2.q7, G-06)', async () => {
    const { status, body } = await get();
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([
      'success',
      'apiVersion',
      'ofp',
      'revisions',
      'normalized',
      'original',
    ]);
    expect(body['original']).toEqual(document);
    expect(normalizedOfpSchema.parse(body['normalized']).general.callsign).toBe('SYN123');
    expect(body['ofp']).toMatchObject({
      ofpId,
      access: 'owner',
      profileMatch: { file: '737-800-7B26' },
      performanceDefaults: { landing: { airport: 'KJFK', runway: '04L' } },
    });
    expect(body['revisions']).toEqual([
      { revision: 1, generatedAt: '2026-09-16T10:00:00Z', importedAt: '2026-09-16T12:00:00Z' },
    ]);
  });

  test.each([
    ['summary', []],
    ['normalized', ['normalized']],
    ['original', ['original']],
    ['full', ['normalized', 'original']],
  ])('The view %s adds %j to the summary', async (view, members) => {
    const { body } = await get({ view });
    expect(Object.keys(body).slice(4)).toEqual(members);
  });

  test('Plan and documents are read with one statement, and the original document only when it is shown', async () => {
    for (const view of ['full', 'summary']) {
      const statements = await statementsDuring(() => get({ view }));
      expect(statements.filter((text) => /\bofp(?:_revision)?\b/.test(text))).toHaveLength(1);
    }
    const { postgres, clock } = api.context;
    const call = { ofpId, userId: user.id, now: clock.now() };
    const kept = async (revision: number, isWhole: boolean, hasOriginal = false) =>
      (await ofpRepo(postgres.db).withRevisions(call, { revision, isWhole, hasOriginal }))?.revisions ?? [];
    const [part, whole, all] = [await kept(1, false), await kept(1, true), await kept(1, false, true)];
    expect([part[0]?.original, whole[0]?.original]).toEqual([null, null]);
    expect(JSON.parse(all[0]?.original ?? '')).toEqual(document);
    const members = [part, whole].map(([first]) => Object.keys(JSON.parse(first?.plan ?? '{}') as object));
    expect(members.map((names) => names.includes('navlog'))).toEqual([false, true]);
    const [other] = await kept(2, true, true);
    expect([other?.revision, other?.plan, other?.original]).toEqual([1, null, null]);
  });

  test('The summary is the same in every view, even for a plan stored without its summary part', async () => {
    const whole = (await get()).body['ofp'];
    for (const view of ['summary', 'original']) expect((await get({ view })).body['ofp']).toEqual(whole);
    await runSql(api.context.postgres)`UPDATE ofp_revision SET planned = NULL WHERE ofp_id = ${ofpId}`;
    expect((await get({ view: 'summary' })).body['ofp']).toEqual(whole);
  });

  test('With sections only these fields are returned, and unknown sections are left out', async () => {
    const { body } = await get({ sections: ['navlog', 'text', 'no such', '__proto__'] });
    expect(Object.keys(body['normalized'] as object)).toEqual(['navlog']);
    expect(Object.keys(body['original'] as object).toSorted()).toEqual(['navlog', 'text']);
    expect(at({ status: 200, headers: new Headers(), body }, 'original', 'text')).toEqual(document['text']);
  });

  test('The document is sent as its stored text, since parsing a hostile one would block the thread for 0.4 s', async () => {
    const texts = vi.spyOn(JSON, 'parse');
    const { body } = await get({ view: 'original' });
    const parts = await get({ view: 'original', sections: ['text', 'navlog'] });
    const parsed = texts.mock.calls.map(([text]) => text);
    texts.mockRestore();
    expect(body['original']).toEqual(document);
    expect(parsed).not.toContain(JSON.stringify(document));
    expect(parts.body['original']).toEqual({ text: document['text'], navlog: document['navlog'] });
    expect(parsed.length).toBeGreaterThan(0);
  });

  test('The last three replaced documents are kept as revisions (G-06)', async () => {
    for (let hour = 11; hour < 16; hour += 1) {
      const params = { ...document['params'], time_generated: `2026-09-16T${hour}:00:00Z` };
      const general = { ...document['general'], release: String(hour) };
      await importPlan({ ...document, params, general }, { ofpId });
    }
    const { body } = await get({ revision: 4, view: 'normalized' });
    expect((body['revisions'] as { revision: number }[]).map(({ revision }) => revision)).toEqual([
      6, 5, 4, 3,
    ]);
    expect(at({ status: 200, headers: new Headers(), body }, 'normalized', 'general', 'release')).toBe('13');
    expect(at(await get(), 'normalized', 'general', 'release')).toBe('15');
    expect(refusal(await get({ revision: 2 }))).toEqual([404, 'OFP_NOT_FOUND']);
  });

  test('Another user’s plan is not found, like one that does not exist (M-7.d4)', async () => {
    const stranger = await api.user();
    const foreign = await get({}, stranger);
    const absent = await get({ ofpId: 'OFP-aaaaaaaaaaaaaaaaaaaa' }, stranger);
    expect(refusal(foreign)).toEqual([404, 'OFP_NOT_FOUND']);
    expect(foreign.body).toEqual(absent.body);
  });

  test.each([
    [{ ofpId: '../x' }, 'INVALID_OFP_ID'],
    [{ ofpId: '' }, 'INVALID_OFP_ID'],
    [{ ofpId: undefined }, 'INVALID_OFP_ID'],
    [{ ofpId: 7 }, 'INVALID_OFP_ID'],
    [{ ofpId: 'x'.repeat(65) }, 'INVALID_OFP_ID'],
    [{ view: 'all' }, 'INVALID_FIELD'],
    [{ sections: 'navlog' }, 'INVALID_FIELD'],
    [{ revision: 0 }, 'INVALID_FIELD'],
  ])('%j is refused with %s (M-7.d2)', async (data, code) => {
    expect(refusal(await get(data))).toEqual([400, code]);
  });

  test('A recipient reads everything the owner reads, with their own permission (M-2.3.3b, J-05)', async () => {
    const owned = await get();
    for (const permission of ['view', 'edit'] as const) {
      const recipient = await api.user();
      await shareWith(api, ofpId, [user, recipient], permission);
      const { status, body } = await get({}, recipient);
      expect([status, body]).toEqual([
        200,
        { ...owned.body, ofp: { ...(owned.body['ofp'] as object), access: permission } },
      ]);
    }
  });

  test('A call without a token is refused', async () => {
    expect(refusal(await api.call('ofpGet', { data: { ofpId } }))).toEqual([401, 'AUTH_REQUIRED']);
  });
});

describe('use of a plan by other queries', () => {
  test('The plan’s landing is accepted by performance and its navigation log by windAloft without changes (G-06)', async () => {
    await importAirports(api.context, ['KJFK', 'KBOS']);
    await api.grant(user, 'EFB_PRO_M');
    const answer = await importPlan(document);
    const { landing } = at(answer, 'ofp', 'performanceDefaults') as { landing: unknown };
    const performance = await api.call('performance', { token: user.token, data: landing });
    expect(performance.status, JSON.stringify(performance.body)).toBe(200);
    const got = await api.call('ofpGet', {
      token: user.token,
      data: { ofpId: answer.body['ofpId'], view: 'normalized' },
    });
    const waypoints = at(got, 'normalized', 'navlog');
    const winds = await api.call('windAloft', { token: user.token, data: { waypoints } });
    expect(winds.status).toBe(200);
    expect(winds.body).not.toHaveProperty('ignored');
    expect(winds.body['windAloft']).toHaveLength(8);
  });

  test('The user’s fleet profile with the plan’s registration becomes its profile, with the key for performance (G-06)', async () => {
    const pilot = await api.user();
    const fleet = fleetCalls(api);
    dataOf(await fleet.save(pilot, 'N-0SYN', '737-800-7B26', { weight: { mslw: 63_000 } }));
    const data = { source: 'json', document };
    const { body } = await api.call('ofpImport', { token: pilot.token, data });
    const match = { file: `User_${pilot.id}_N-0SYN.json`, userRegistration: 'N-0SYN', virtualAirline: null };
    expect(body['ofp']).toMatchObject({ profileMatch: { ...match, confidence: 'registration' } });
    expect(body['warnings']).toEqual([
      expect.objectContaining({ code: 'WEIGHT_DEVIATION', path: 'weights.max_ldw' }),
    ]);
    const key = at(
      { status: 200, headers: new Headers(), body },
      'ofp',
      'performanceDefaults',
      'landing',
      'aircraft',
    );
    expect(key).toEqual(match);
    expect((await fleet.aircraft(pilot, match.file, match.userRegistration)).status).toBe(200);
    const other = await api.call('ofpImport', { token: user.token, data });
    expect(at(other, 'ofp', 'profileMatch')).toMatchObject({ userRegistration: null, confidence: 'engines' });
  });
});
