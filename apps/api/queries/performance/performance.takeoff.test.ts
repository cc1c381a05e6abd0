import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseNotamTexts } from '#domain/notam/parse.ts';
import { notamWrites } from '#store/postgres/notam/notam.ts';
import { testApi } from '#test/api.ts';
import type { Answer, TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { codeOf } from '#test/support/subscriptions.ts';
import { runSql } from '#test/support/sql.ts';

const notam = (number: string, code: string, text: string): string =>
  `${number} NOTAMN\nQ) KZDV/${code}/IV/NBO/A/000/999/3913N10652W005\nA) KASE B) 2609010000 C) 2612280000\nE) ${text}\n\n`;
const notams =
  notam(
    'A0001/26',
    'QMDCH',
    'RWY 33 DECLARED DISTANCES CHANGED: TORA 1800M TODA 1900M ASDA 1850M LDA 1800M',
  ) + notam('A0002/26', 'QMTCM', 'RWY 15 THR DISPLACED 300M');

let api: TestApi;
let pilot: TestUser;
let guest: TestUser;
beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
  guest = await api.user();
  await importAirports(api.context, ['KJFK', 'KASE']);
  await api.grant(pilot, 'EFB_COMMERCIAL_Y');
  const { postgres, clock } = api.context;
  const { records, rejects } = parseNotamTexts(notams);
  if (records.length !== 2 || rejects.length > 0) throw new Error(JSON.stringify(rejects));
  await postgres.transaction((tx) =>
    notamWrites(tx).store(records, { source: 'test', now: clock.now(), isComplete: true }),
  );
  const sql = runSql(postgres);
  await sql`INSERT INTO runway_intersection (icao, ident, name, source, entry_m, updated_at)
    VALUES ('KJFK', '04L', 'QQ', 'operator', 1000, now())`;
  await sql`INSERT INTO runway_operator (icao, ident, efp_kind, efp_text, efp_acceleration_altitude_ft, macg_percent, author, updated_at)
    VALUES ('KJFK', '13R', 'custom', 'Turn right heading 180.', 1800, 9, 'test', now())`;
});
afterAll(() => api.close());

type Fields = Record<string, unknown>;
const request = (more: Fields = {}): Fields => ({
  requestType: 'TAKEOFF',
  units: { distance: 'meter' },
  aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
  airport: 'KJFK',
  runway: '04L',
  weather: { windDirection: 40, windSpeed: 10, temperature: 30, qnh: 1013 },
  configuration: { flap: '5' },
  weight: { takeoffWeight: 70_000 },
  ...more,
});
const perform = (data: Fields, user = pilot): Promise<Answer> =>
  api.call('performance', { token: user.token, data });
interface Limits {
  structural: number;
  field: number;
  climb: number;
}
interface Result extends Fields {
  limits: Limits;
  full: Record<string, number> | null;
  reduced: Record<string, number> | null;
}
type Pictures = Record<'takeoff', Record<'svg' | 'png', string>>;
const resultOf = async (more: Fields = {}): Promise<Result> => {
  const { status, body } = await perform(request(more));
  expect([status, body['calculationPossible'], body['error']]).toEqual([200, true, undefined]);
  return body['performance'] as Result;
};
const cautionsOf = async (more: Fields): Promise<unknown[]> => {
  const { body } = await perform(request(more));
  return (body['cautions'] as { code: string }[]).map(({ code }) => code);
};

describe('takeoff, successful calls', () => {
  test('The answer has all limits with the lowest named, speeds at full and reduced thrust, and distances with margins (G-07)', async () => {
    const { status, body } = await perform(request());
    expect([status, body['subCalculation'], body['apiVersion']]).toEqual([200, 'TAKEOFF', '1.3.6']);
    const result = body['performance'] as Result;
    expect(result).toMatchObject({
      flap: '5',
      thrust: 'REDUCED',
      runwayIdent: '04L',
      limitedBy: 'STRUCT',
      maxTakeoffWeight: result.limits.structural,
      verdict: 'FITS',
      maxAssumedTemperature: 67,
      trim: null,
      limitsExceeded: [],
      obstacles: { considered: 0, text: 'obstacles not considered' },
      returnLanding: { isOverweight: true },
    });
    // At most 5 hPa and 3 °C away, or less if the assumed temperature, rounded down, leaves less room.
    const { minQnh, maxTemperature } = result['validity'] as { minQnh: number; maxTemperature: number };
    expect(minQnh >= 1008 && minQnh <= 1013).toBe(true);
    expect(maxTemperature - 30).toBeCloseTo((3 * (1013 - minQnh)) / 5, 6);
    const { full, reduced } = result;
    expect(reduced?.['assumedTemperature']).toBeGreaterThan(35);
    expect(result['assumedTemperature']).toBe(reduced?.['assumedTemperature']);
    for (const column of [full, reduced]) {
      expect(column?.['v1']).toBeLessThanOrEqual(column?.['vR'] ?? 0);
      expect(column?.['asdMargin']).toBe(Number(result['asda']) - (column?.['asd'] ?? 0));
      expect(column?.['agdMargin']).toBe(Number(result['toda']) - (column?.['agd'] ?? 0));
    }
    expect(reduced?.['eogd']).toBeGreaterThan(full?.['eogd'] ?? Infinity);
  });

  test('The drawing is served at once, light and dark, with the answer’s figures and its alternative text (G-07)', async () => {
    const { body } = await perform(request({ runway: '04L/QQ' }));
    const { graphic, reduced } = body['performance'] as Result & { graphic: Pictures };
    const { takeoff } = body['graphicDark'] as Pictures;
    expect(takeoff.png).toMatch(/takeoff-dark\.png$/);
    const drawing = async (url: string) => (await api.fetch(new URL(url).pathname)).text();
    const svg = await drawing(graphic.takeoff.svg);
    expect(svg).toContain(`>${reduced?.['asd']?.toLocaleString('en-US')} m</text>`);
    expect(svg).toMatch(/<desc id="d">KJFK 04L\/QQ .*From intersection QQ/);
    expect(await drawing(takeoff.svg)).not.toContain('prefers-color-scheme');
    const past = await api.call('performanceGet', {
      token: pilot.token,
      data: { calculationId: body['calculationId'] },
    });
    expect((past.body['result'] as { performance: object }).performance).toMatchObject({ graphic });
  });

  test('The line-up distance is subtracted before the margins (G-07)', async () => {
    const neo = {
      aircraft: { file: 'A320-251N', userRegistration: null, virtualAirline: null },
      configuration: {},
    };
    const [straight, turned] = [await resultOf(neo), await resultOf({ ...neo, lineupAngle: 90 })];
    expect(Number(turned['asda'])).toBeLessThan(Number(straight['asda']));
    expect(turned.full?.['asdMargin']).toBe(Number(turned['asda']) - (turned.full?.['asd'] ?? 0));
  });

  test('Without a weight the answer has limits only, and one above the structural limit is refused (G-07, M-2.8.r2)', async () => {
    expect(await resultOf({ weight: {} })).toMatchObject({
      takeoffWeight: null,
      v1: null,
      full: null,
      verdict: null,
    });
    const { body } = await perform(request({ weight: { takeoffWeight: 79_017 } }));
    expect(body).toMatchObject({
      calculationPossible: false,
      errors: [{ code: 'WEIGHT_ABOVE_MTOW', field: 'weight.takeoffWeight', value: 79_017, limit: 79_016 }],
      calculationId: null,
    });
  });

  test('Weights in pounds and distances in feet give the same result as kilograms and metres (G-07)', async () => {
    const pounds = await resultOf({ units: { weight: 'lb' }, weight: { takeoffWeight: 154_324 } });
    const metric = await resultOf();
    expect(Math.abs(pounds.limits.climb * 0.45359237 - metric.limits.climb)).toBeLessThan(2);
    expect(Math.abs(Number(pounds['toda']) * 0.3048 - Number(metric['toda']))).toBeLessThan(2);
    expect(pounds['v2']).toBe(metric['v2']);
  });

  test('An intersection gives the same result whether named in the id, named separately or given as a distance (G-07)', async () => {
    const full = await resultOf();
    const inId = await resultOf({ runway: '04L/QQ' });
    expect(inId).toMatchObject({ runwayIdent: '04L/QQ', tora: Number(full['tora']) - 1000 });
    expect((await resultOf({ intersection: 'QQ' })).limits).toEqual(inId.limits);
    expect((await resultOf({ intersection: 1000 })).limits).toEqual(inId.limits);
    expect(codeOf(await perform(request({ runway: '04L/ZZ' })))).toEqual([400, 'INVALID_INPUT']);
    expect(codeOf(await perform(request({ runway: '04L/QQ' }), guest))).toEqual([
      403,
      'FEATURE_NOT_IN_SUBSCRIPTION',
    ]);
  });

  test('Declared distances in the request replace the airport data, and a NOTAM in the request shortens them (G-07)', async () => {
    const own = await resultOf({ runway: { ident: '04L', tora: 2000, asda: 2100 } });
    expect(own).toMatchObject({ tora: 2000, toda: 2000, asda: 2100 });
    const shortened = await resultOf({ notam: { shortenEnd: 300 } });
    expect(shortened).toMatchObject({ isNOTAM: true, tora: Number((await resultOf())['tora']) - 300 });
    const none = await perform(request({ runway: { ident: '04L', tora: 100 }, notam: { shortenEnd: 300 } }));
    expect(none.body).toMatchObject({
      calculationPossible: false,
      error: ['No takeoff distance is available. 200 m more than available is closed.'],
    });
  });

  test('A NOTAM changes the declared distances when its runway is requested, but a displaced threshold changes no takeoff (G-07)', async () => {
    const aspen = (runway: string) =>
      resultOf({ airport: 'KASE', runway, configuration: {}, weight: { takeoffWeight: 45_000 } });
    const plain = await aspen('33');
    const [notice] = plain['noticesInForce'] as Fields[];
    expect(plain).toMatchObject({ isNOTAM: false });
    expect(notice).toMatchObject({ notam: 'A0001/26', tora: 1800 });
    const shorter = await aspen(String(notice?.['runway']));
    expect(shorter).toMatchObject({ isNOTAM: true, tora: 1800, toda: 1900, asda: 1850 });
    expect(shorter.limits.field).toBeLessThan(plain.limits.field);
    const { body } = await api.call('airport', { token: pilot.token, data: { icao: 'KASE' } });
    const { runways } = body['airport'] as { runways: { ident: string; tora: { value: number } }[] };
    const published = runways.find(({ ident }) => ident === '15')?.tora.value ?? 0;
    expect(await aspen('15')).toMatchObject({ tora: Math.floor(published) });
  });

  test('Obstacles limit the weight, a path with turns even more, and the answer says which path applies (G-07)', async () => {
    const obstacles = [{ distance: 9_000, height: 900 }];
    const kg = ({ limits }: Result): number => Number((limits as unknown as Fields)['obstacle']);
    const [straight, turning] = [
      await resultOf({ obstacles }),
      await resultOf({ obstacles, departureTurns: [{ distance: 2_000, headingChange: 90 }] }),
    ];
    expect(straight).toMatchObject({ obstacles: { considered: 1, text: 'net flight path, straight ahead' } });
    expect(turning).toMatchObject({
      obstacles: { text: 'net flight path, turning by 90° with 15° of bank' },
      requiredFinalGradient: 1.2,
    });
    expect(kg(turning)).toBeLessThan(kg(straight));
    expect(Number(turning['finalSegmentGradient'])).toBeGreaterThan(1.2);
  });

  test('The engine failure procedure is the operator’s, otherwise the standard one (G-07)', async () => {
    expect(await resultOf()).toMatchObject({ engineFailureProcedure: { isStandard: true } });
    expect(await resultOf({ runway: '13R' })).toMatchObject({
      engineFailureProcedure: {
        isStandard: false,
        text: 'Turn right heading 180.',
        accelerationAltitude: 1800,
      },
    });
  });

  test('The limit weight for a return equals that of a landing calculation for the same runway, profile, items and gradient (G-07)', async () => {
    const landingOf = async (more: Fields) => {
      const { configuration: _takeoff, weight: _weight, ...shared } = request(more);
      const { body } = await perform({ ...shared, requestType: 'LANDING' });
      return body['performance'] as Fields;
    };
    const takeoffKg = {
      '737-800-7B26': 55_000,
      'A320-251N': 55_000,
      '737-900ER': 60_000,
      'A380-842': 380_000,
    };
    const cases: Fields[] = [
      {},
      { runwayCondition: { state: 'SLUSH', depth: 6 }, notam: { shortenEnd: 1_000 } },
      { runwayCondition: { state: 'WET' }, weather: { windDirection: 220, windSpeed: 9, temperature: 35 } },
      { runway: '13R' },
      { airport: 'KASE', runway: '33', weather: { windDirection: 330, windSpeed: 5, temperature: 35 } },
      { airport: 'KASE', runway: '15' },
    ];
    const limits = new Set<unknown>();
    for (const [file, takeoffWeight] of Object.entries(takeoffKg)) {
      for (const more of cases) {
        const asked = { ...more, aircraft: { file }, weight: { takeoffWeight } };
        const { body } = await perform(request({ ...asked, configuration: {} }));
        if (body['calculationPossible'] !== true) continue;
        const { returnLanding } = body['performance'] as Result;
        const landing = await landingOf(asked);
        expect(returnLanding, `${file} ${JSON.stringify(more)}`).toMatchObject({
          limitWeight: landing?.['landingWeight'] ?? null,
          limitedBy: landing?.['limitedBy'] ?? null,
        });
        limits.add(landing?.['limitedBy']);
      }
    }
    expect([...limits]).toEqual(expect.arrayContaining(['STRUCT.', 'FIELD', 'MACG']));
    expect((await resultOf({ weight: {} }))['returnLanding']).toBeNull();
  });

  test('A verdict names the limits exceeded (G-07)', async () => {
    const short = { runway: { ident: '04L', tora: 1500 } };
    expect(await resultOf(short)).toMatchObject({ verdict: 'TOO_HEAVY', limitedBy: 'FIELD' });
    expect(await cautionsOf(short)).toContain('WEIGHT_ABOVE_LIMIT');
    const windy = { weather: { windDirection: 130, windSpeed: 45, temperature: 15, qnh: 1013 } };
    expect(await resultOf(windy)).toMatchObject({
      verdict: 'LIMIT_EXCEEDED',
      limitsExceeded: [{ code: 'CROSSWIND_LIMIT', limit: 36 }],
    });
    expect(await cautionsOf({ obstacles: [{ distance: 5000, height: 100 }] })).not.toContain(
      'OBSTACLES_NOT_CONSIDERED',
    );
  });

  test('Thrust is as requested: no reduction, an assumed temperature, FLEX or TOGA of family A (G-07)', async () => {
    const thrust = (configuration: Fields, file = '737-800-7B26') =>
      resultOf({ aircraft: { file, userRegistration: null, virtualAirline: null }, configuration });
    expect(await thrust({ assumedTemperature: 'NONE' })).toMatchObject({ thrust: 'FULL', reduced: null });
    expect(await thrust({ assumedTemperature: 40 })).toMatchObject({ assumedTemperature: 40 });
    expect(await thrust({ windshear: true })).toMatchObject({ thrust: 'FULL', reduced: null });
    expect(await thrust({}, 'A320-251N')).toMatchObject({ rating: 'FLEX', thrust: 'REDUCED' });
    const toga = await thrust({ rating: 'TOGA' }, 'A320-251N');
    expect(toga).toMatchObject({ rating: 'TOGA', thrust: 'FULL', v1: toga.full?.['v1'] });
    expect(await cautionsOf({ configuration: { assumedTemperature: 75 } })).toContain(
      'ASSUMED_TEMPERATURE_TOO_HIGH',
    );
  });

  test('Items lower the limits or prohibit reduced thrust, and unknown options are refused (G-07)', async () => {
    const items = (inopItems: Fields) => resultOf({ runway: '13L', inopItems });
    const plain = await items({});
    const brakes = await items({ mel: ['32-42-01'] });
    expect(brakes.limits.field).toBeLessThan(plain.limits.field);
    expect(brakes.reduced).toBeNull();
    // Both are rounded down.
    expect(plain.limits.climb - (await items({ cdl: ['57-01'] })).limits.climb - 360).toBeOneOf([-1, 0, 1]);
    for (const wrong of [
      { configuration: { flap: '40' } },
      { configuration: { rating: 'TO-9' } },
      { runwayCondition: { state: 'GOOD' } },
      { inopItems: { mel: ['x'] } },
    ])
      expect(codeOf(await perform(request(wrong)))).toEqual([400, 'INVALID_INPUT']);
  });

  test('The assessment covers every flap and rating, and one change each (G-07)', async () => {
    const { assessment } = (await resultOf({ assess: true })) as unknown as {
      assessment: Record<'flaps' | 'ratings' | 'sensitivity', Fields[]>;
    };
    expect(assessment.flaps.map(({ flap }) => flap)).toEqual(['1', '5', '10', '15', '25']);
    expect(assessment.ratings.map(({ rating }) => rating)).toEqual(['TO', 'TO-1', 'TO-2']);
    expect(assessment.sensitivity).toHaveLength(6);
    expect(assessment.sensitivity.every(({ delta }) => Number(delta) <= 0)).toBe(true);
  });
});

test('A takeoff is counted, charged once and found in the history (G-07, M-2.7.t3)', async () => {
  const before = (await perform(request(), guest)).body['remainingCalculations'];
  const answer = await perform(request({ runway: { ident: '04L', tora: 2000 } }), guest);
  expect(answer.body['remainingCalculations']).toBe(Number(before) - 1);
  const { body } = await api.call('userStatistics', { token: guest.token });
  expect(body['calculations']).toMatchObject({ takeoff: 2, total: 2 });
  const history = await api.call('performanceHistory', { token: guest.token });
  expect((history.body['items'] as Fields[])[0]).toMatchObject({
    calculationId: answer.body['calculationId'],
    kind: 'takeoff',
    runway: '04L',
  });
});
