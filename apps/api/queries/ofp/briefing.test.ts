import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notamWrites } from '#store/postgres/notam/notam.ts';
import { parseNotamTexts } from '#domain/notam/parse.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { at, refusal } from '#test/support/answers.ts';
import { makers } from '#test/support/flights.ts';
import { kbos, planDocument } from '#test/support/ofp.ts';
import { planWithoutRoute, sigmetOver, storeReports, storeSigmets, storeWinds } from '#test/support/route.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let user: TestUser;
let devKey: string;
let ofpId: string;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  devKey = await api.key({ weather: true });
  await api.grant(user, 'EFB_PRO_M');
  await importAirports(api.context, ['KJFK', 'KBOS', 'KBDL']);
  await storeReports(api, ['KJFK', 'KBOS']);
  await storeWinds(api);
  await storeSigmets(api, [sigmetOver([41, -73, 42, -71.5], { baseFt: 10_000, topFt: 40_000 })]);
  const { body } = await api.call('ofpImport', {
    token: user.token,
    data: { source: 'json', document: planDocument() },
  });
  ofpId = String(body['ofpId']);
});
afterAll(() => api.close());

const brief = (data: object = {}, { token } = user) =>
  api.call('briefing', { token, devKey, data: { ofpId, ...data } });

const items = {
  format: 'icao',
  fir: null,
  locations: ['KJFK'],
  position: null,
  scheduleRaw: null,
  schedule: null,
  text: 'WORK IN PROGRESS',
};

/** A NOTAM of KJFK with these effects, in force on the day of the tests unless changed. */
const notam = (key: string, effects: object[], from = '2026-09-01T00:00:00Z') =>
  runSql(api.context.postgres)`
    INSERT INTO notam (key, source, number, type, airports, from_at, is_estimated, raw, effects, flags, items, received_at)
    VALUES (${key}, 'test', ${key}, 'N', '{KJFK}', ${from}, false, ${`text of ${key}`}, ${JSON.stringify(effects)}::jsonb, '{}',
      ${JSON.stringify(items)}::jsonb, now())`;

describe('briefing', () => {
  test('Departure, destination and alternates have their reports and the planned runways at the planned times', async () => {
    const { status, body } = await brief();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      ofp: { ofpId, access: 'owner', performanceDefaults: { landing: { airport: 'KJFK', runway: '04L' } } },
      departure: { icao: 'KBOS', runway: '04R', category: 'IFR', taf: { date: '2026-09-16 11:20:00' } },
      destination: { icao: 'KJFK', runway: '04L', metar: { date: '2026-09-16 11:51:00' }, notams: [] },
      alternates: [{ icao: 'KBDL', metar: null, category: null }],
    });
    const { landing, takeoff } = at(
      { status, body, headers: new Headers() },
      'ofp',
      'performanceDefaults',
    ) as {
      landing: { at: string };
      takeoff: { at: string };
    };
    expect(body['departure']).toMatchObject({ at: takeoff.at });
    expect(body['destination']).toMatchObject({ at: landing.at });
  });

  test('For a time two or more hours ahead the TAF is used as in weather, within the hour the METAR, and the answer names which', async () => {
    const { body } = await brief({ performance: false });
    const forecastText = '03010KT P6SM BKN030';
    const used = { source: 'TAF', date: '2026-09-16T11:20:00.000Z', text: forecastText, category: 'MVFR' };
    for (const [end, phase] of [
      ['departure', 'takeoff'],
      ['destination', 'landing'],
    ] as const) {
      const { icao, at: time, forecast } = body[end] as { icao: string; at: string; forecast: object };
      expect(body[end]).toMatchObject({ weatherUsed: used });
      const { body: weather } = await api.call('weather', { token: user.token, data: { icao, at: time } });
      expect(forecast).toEqual(weather['forecast']);
      const defaults = (body['ofp'] as { performanceDefaults: Record<string, object> }).performanceDefaults;
      expect(defaults[phase]).toMatchObject({
        weather: { windDirection: 30, windSpeed: 10, gust: null, temperature: 15 },
        sources: {
          wind: { source: 'forecast', text: 'TAF at this time' },
          temperature: { source: 'plan', text: 'performance section of the plan' },
        },
      });
    }
    expect(body['alternates']).toMatchObject([
      { forecast: { problem: 'NO_TAF' }, weatherUsed: { source: null } },
    ]);
    const out = new Date('2026-09-16T12:20:00Z');
    const document = planDocument({ requestId: '184000078', out, origin: { ...kbos, metar: '' } });
    const { body: soon } = await api.call('ofpImport', {
      token: user.token,
      data: { source: 'json', document },
    });
    const { body: near } = await brief({ ofpId: String(soon['ofpId']), performance: false });
    expect(near).toMatchObject({
      departure: { weatherUsed: { source: 'METAR', category: 'IFR' } },
      destination: { weatherUsed: { source: 'TAF' } },
      ofp: {
        performanceDefaults: {
          takeoff: {
            weather: { windSpeed: 12, gust: 20 },
            sources: { wind: { text: 'METAR' }, runwayCondition: { text: 'METAR: -RA' } },
          },
        },
      },
    });
  });

  test('Winds, stations and warnings equal those of weatherRoute for the same plan', async () => {
    const { body: route } = await api.call('weatherRoute', { token: user.token, devKey, data: { ofpId } });
    const { success: _, apiVersion: __, assumed, ...expected } = route;
    expect(assumed).toEqual([]);
    expect((await brief()).body['route']).toEqual(expected);
    expect(expected['hazards']).toMatchObject([{ crosses: true, hazard: 'TURB' }]);
  });

  test('Takeoff and landing equal those of performance for the defaults of the plan, and count as calculations', async () => {
    const answer = await brief();
    const defaults = at(answer, 'ofp', 'performanceDefaults') as { takeoff: object; landing: object };
    const first = Number(at(answer, 'takeoff', 'answer', 'remainingCalculations'));
    expect(at(answer, 'landing', 'answer', 'remainingCalculations')).toBe(first - 1);
    for (const phase of ['takeoff', 'landing'] as const) {
      const { body } = await api.call('performance', { token: user.token, data: defaults[phase] });
      expect(at(answer, phase, 'error')).toBeNull();
      expect(at(answer, phase, 'answer', 'performance', 'verdict')).toEqual(
        (body['performance'] as { verdict: string }).verdict,
      );
      expect(at(answer, phase, 'answer', 'applied')).toEqual(body['applied']);
    }
    const without = await brief({ performance: false });
    expect(without.body).toMatchObject({ takeoff: null, landing: null });
    const counted = await brief();
    expect(at(counted, 'takeoff', 'answer', 'remainingCalculations')).toBe(first - 4);
  });

  test('NOTAM valid at arrival are listed, those for the planned runway first', async () => {
    await notam('A1/26', [{ kind: 'exitClosed', name: 'B', runways: ['13L'] }]);
    await notam('A2/26', []);
    await notam('A3/26', [{ kind: 'displaced', runway: '04L', byM: 100 }]);
    await notam('A4/26', [{ kind: 'closed', runway: '04L', use: 'all' }], '2026-10-01T00:00:00Z');
    const { body } = await brief({ performance: false });
    const { notams } = body['destination'] as { notams: { number: string; concerns: string }[] };
    expect(notams.map(({ number, concerns }) => [number, concerns])).toEqual([
      ['A3/26', 'plannedRunway'],
      ['A1/26', 'otherRunway'],
      ['A2/26', 'other'],
    ]);
    expect(notams[0]).toMatchObject({ text: 'text of A3/26', to: null, from: '2026-09-01T00:00:00Z' });
  });

  test('No operation calls a runway shortened by NOTAM good, and users with NOTAM get its shortened variant', async () => {
    await notam('A5/26', [{ kind: 'declaredDistance', runway: '04L', distance: 'LDA', valueM: 1_000 }]);
    const asked = async ({ token }: TestUser) => {
      const document = planDocument();
      const imported = await api.call('ofpImport', { token, data: { source: 'json', document } });
      const { ofpId: ownId } = imported.body;
      const { body } = await api.call('briefing', { token, data: { ofpId: ownId } });
      const { body: got } = await api.call('ofpGet', { token, data: { ofpId: ownId, view: 'summary' } });
      const runwayOf = ({ ofp }: Record<string, unknown>) =>
        (ofp as { performanceDefaults: { landing: { runway: string } } }).performanceDefaults.landing.runway;
      const { answer } = body['landing'] as {
        answer: { performance: { verdict: string; isNOTAM: boolean } };
      };
      expect([runwayOf(imported.body), runwayOf(got)]).toEqual([runwayOf(body), runwayOf(body)]);
      return { runway: runwayOf(body), ...answer.performance };
    };
    const plain = await asked(await api.user());
    expect(plain).toMatchObject({ runway: '04L', isNOTAM: false, verdict: 'LIMIT_EXCEEDED' });
    const level = await asked(user);
    expect(level).toMatchObject({ isNOTAM: true, shown: { tone: 'bad' } });
    expect(level.runway).toMatch(/^04L\.N\d+\.N\d+$/);
    await runSql(api.context.postgres)`DELETE FROM notam WHERE key IN ('A3/26', 'A5/26')`;
  });

  test('A refusal by performance is shown in place of its answer, and a plan without positions has no route', async () => {
    const document = planDocument({
      requestId: '184000077',
      aircraft: { icao: 'C172', name: 'Skyhawk', engines: '', registration: 'N172X' },
    });
    const { body: imported } = await api.call('ofpImport', {
      token: user.token,
      data: { source: 'json', document },
    });
    const { status, body } = await brief({ ofpId: String(imported['ofpId']) });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      takeoff: { answer: null, error: { code: 'INVALID_INPUT' } },
      landing: { answer: null, error: { code: 'INVALID_INPUT' } },
    });
    const routeless = await brief({ ofpId: await planWithoutRoute(api, user), performance: false });
    expect(routeless.body).toMatchObject({ route: null, destination: { icao: 'KJFK' } });
  });

  test('Nil braking and a closure by snow are given as the reason for missing figures', async () => {
    const { clock, postgres } = api.context;
    const now = clock.now();
    const nil =
      '!JFK 09/302 JFK RWY 04R FICON 0/0/0 100 PCT WET ICE OBS AT 2609161130. 2609161130-2609171200\n';
    await postgres.transaction((tx) =>
      notamWrites(tx).store(parseNotamTexts(nil, now).records, { source: 'ficon', now, isComplete: false }),
    );
    const metar = 'KJFK 161151Z 21012KT 10SM M02/M03 A3002';
    const reasonOn = async (runway: string) => {
      const data = makers[0]?.({
        requestId: '184300001',
        metar,
        taf: '',
        tlr: {},
        runway,
        registration: 'N0SYN',
      });
      const { body } = await api.call('ofpImport', { token: user.token, data });
      return at(await brief({ ofpId: String(body['ofpId']) }), 'landing', 'error', 'message');
    };
    expect(await reasonOn('04R')).toContain('braking is nil');
    await runSql(postgres)`UPDATE metar SET raw = raw || ' R/SNOCLO' WHERE icao = 'KJFK'`;
    await runSql(postgres)`DELETE FROM taf WHERE icao = 'KJFK'`;
    expect(await reasonOn('13L')).toContain('closed by snow');
  });

  test('A stranger and an invalid call are refused', async () => {
    expect(refusal(await brief({}, await api.user()))).toEqual([404, 'OFP_NOT_FOUND']);
    expect(refusal(await brief({ ofpId: '' }))).toEqual([400, 'INVALID_OFP_ID']);
    expect(refusal(await brief({ performance: 'yes' }))).toEqual([400, 'INVALID_FIELD']);
  });
});
