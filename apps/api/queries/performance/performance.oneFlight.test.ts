/** One flight: what a plan hands out is pasted unchanged into performance, and compared with the kernel alone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addSeconds } from '#domain/time.ts';
import { loadProfiles } from '#data/aircraft/profiles.ts';
import { parseNotamTexts } from '#domain/notam/parse.ts';
import { notamWrites } from '#data/postgres/notam/notam.ts';
import { metarWrites } from '#data/postgres/weather/metars.ts';
import { calculateLanding } from '#perf/landing/calculate.ts';
import { checkProfile } from '#perf/landing/check.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { fleetCalls } from '#test/support/fleet.ts';
import { makers } from '#test/support/flights.ts';
import type { TlrConditions } from '#test/support/flights.ts';

let api: TestApi;
let user: TestUser;
let key: string;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  key = await api.key({ weather: true });
  await importAirports(api.context, ['KJFK', 'KBOS']);
  await api.grant(user, 'EFB_COMMERCIAL_Y');
});
afterAll(() => api.close());

type Fields = Record<string, unknown>;
const profile = (await loadProfiles(checkProfile)).get('737-800-7B26');
if (!profile) throw new Error('no profile');

/** KJFK 04L as published. */
const runway = { bearingDeg: 30.76, ldaM: 3355.8, elevationM: 11.9 * 0.3048, slope: 0.00005, widthM: 61 };
const mps = (kt: number) => kt * (1852 / 3600);

/** What a report or plan says, in its own units; direction null: variable. */
interface Raw {
  wind: readonly [directionDeg: number | null, kt: number, gustKt?: number];
  c: number;
  hPa: number;
  code: 1 | 2 | 3 | 4 | 5 | 6;
}

const componentsOf = (directionDeg: number | null, kt: number) => {
  if (directionDeg === null) return { headwindMps: -mps(kt), crosswindMps: mps(kt) };
  const angle = ((directionDeg - runway.bearingDeg) * Math.PI) / 180;
  return { headwindMps: mps(kt) * Math.cos(angle), crosswindMps: Math.abs(mps(kt) * Math.sin(angle)) };
};

/** Knots added to VREF: half the headwind and the whole gust increment, 5 to 20; 5 with a tailwind. */
const additiveKt = (headwindKt: number, gustsKt: number) =>
  Math.round(headwindKt) < 0 ? 5 : Math.min(20, Math.max(5, Math.round(headwindKt / 2 + gustsKt)));

/** Distance of each brake mode in metres by the kernel alone. */
const kernel = (
  { wind: [direction, kt, gustKt], c, hPa, code }: Raw,
  massKg: number,
): Map<string, number> => {
  const wind = componentsOf(direction, kt);
  const outcome = calculateLanding(profile, {
    mode: 'inflight',
    runway,
    weather: {
      ...wind,
      ...(gustKt === undefined ? {} : { gust: componentsOf(direction, gustKt) }),
      temperatureK: c + 273.15,
      qnhPa: hPa * 100,
    },
    condition: { rwycc: code },
    configuration: {
      flap: profile.flaps.find(({ landing, isDefault }) => landing && isDefault)?.code ?? '',
      autobrake: 'ALL',
      reversersOperating: 2,
      speedbrake: 'AUTO',
      antiIce: 'OFF',
      vrefAdditiveKt: additiveKt(wind.headwindMps / mps(1), (gustKt ?? kt) - kt),
      autoland: false,
      autothrust: true,
      missedApproachGradient: 0.025,
      nonNormal: [],
      mel: [],
      cdl: [],
    },
    massKg,
  });
  if (!outcome.ok || outcome.result.mode !== 'inflight') throw new Error(JSON.stringify(outcome));
  return new Map(outcome.result.modes.map(({ autobrake, unfactoredM }) => [autobrake, unfactoredM]));
};

let requestId = 184_100_000;
const imported = async (
  maker: number,
  given: { metar?: string; taf?: string; tlr?: TlrConditions | null; runway?: string; registration?: string },
) => {
  requestId += 1;
  const { metar = '', taf = '', tlr = {}, runway: planned = '04L', registration = 'N0SYN' } = given;
  const make = makers[maker % makers.length] ?? makers[0];
  const data = make?.({ requestId: String(requestId), metar, taf, tlr, runway: planned, registration });
  const answer = await api.call('ofpImport', { token: user.token, data });
  expect([answer.status, answer.body['error']]).toEqual([200, undefined]);
  const ofp = answer.body['ofp'] as { ofpId: string; performanceDefaults: { landing: Fields } };
  return { ofp, warnings: answer.body['warnings'] as { code: string; message: string }[] };
};
const land = (data: Fields) => api.call('performance', { token: user.token, data });

const dry = { c: 18, hPa: 30.02 * 33.8639, code: 6 } as const;
const report = (text: string) => `KJFK 161151Z ${text}`;
const wet = (text: string) => report(`03012KT 9999 ${text} 18/12 A3002`);
const wind: Raw['wind'] = [30, 12];
const section: Raw = { wind: [270, 10], c: 15, hPa: 29.92 * 33.8639, code: 6 };
const hot = { wind_direction: '140', wind_speed: '14', temperature: '36' };

/** Name, METAR, performance section, what counts, and what has to be named as assumed. */
const situations: readonly [string, string, TlrConditions | null, Raw, string[]?][] = [
  ['a headwind', report('03012KT 10SM 18/12 A3002'), {}, { ...dry, wind }],
  ['gusts', report('03012G25KT 10SM 18/12 A3002'), {}, { ...dry, wind: [30, 12, 25] }],
  ['a variable wind', report('VRB05KT 10SM 18/12 A3002'), {}, { ...dry, wind: [null, 5] }],
  ['a variable wind with gusts', report('VRB08G18KT 10SM 18/12 A3002'), {}, { ...dry, wind: [null, 8, 18] }],
  ['calm', report('00000KT 10SM 18/12 A3002'), {}, { ...dry, wind: [0, 0] }],
  ['a tailwind', report('21012KT 10SM 18/12 A3002'), {}, { ...dry, wind: [210, 12] }],
  ['a tailwind in gusts', report('21008G17KT 10SM 18/12 A3002'), {}, { ...dry, wind: [210, 8, 17] }],
  ['a crosswind in gusts', report('12020G34KT 10SM 18/12 A3002'), {}, { ...dry, wind: [120, 20, 34] }],
  ['metres per second', report('04008MPS 9999 18/12 A3002'), {}, { ...dry, wind: [40, 8 * 1.943_844] }],
  ['a QNH in hectopascals', report('03012KT 9999 18/12 Q0985'), {}, { ...dry, wind, hPa: 985 }],
  ['frost', report('03012KT 9999 M12/M15 A3002'), {}, { ...dry, wind, c: -12 }],
  ['heat', report('03012KT CAVOK 41/12 A3002'), {}, { ...dry, wind, c: 41 }],
  ['an automatic report', report('AUTO 03012KT 9999 18/12 A3002'), {}, { ...dry, wind }],
  ['a missing wind', report('/////KT 9999 18/12 A3002'), hot, { ...dry, wind: [140, 14] }],
  ['a missing temperature', report('03012KT 9999 ///// A3002'), hot, { ...dry, wind, c: 36 }],
  ['a missing QNH', report('03012KT 9999 18/12 Q////'), {}, { ...dry, wind, hPa: section.hPa }],
  [
    'a report that says nothing',
    report('NIL'),
    hot,
    { ...section, wind: [140, 14], c: 36 },
    ['runway condition'],
  ],
  ['no report', '', {}, section, ['runway condition']],
  ['no report, a wet runway', '', { surface_condition: 'wet' }, { ...section, code: 5 }],
  [
    'neither report nor performance section',
    '',
    null,
    { wind: [0, 0], c: 15, hPa: 1013, code: 6 },
    ['wind calm', 'temperature 15', 'QNH 1013', 'runway condition dry'],
  ],
  ['a friction coefficient', `${wet('')} R04L/490120`, {}, { ...dry, wind, code: 1 }],
  ['a wet runway state', `${wet('')} R04L/290195`, {}, { ...dry, wind, code: 5 }],
  ['thin slush with braking action', `${wet('')} R04L/690394`, {}, { ...dry, wind, code: 4 }],
  ['deep slush', `${wet('')} R04L/691095`, {}, { ...dry, wind, code: 2 }],
  ['ice', `${wet('')} R04L/790094`, {}, { ...dry, wind, code: 1 }],
  ['the state of the whole airport', `${wet('')} R88/490594`, {}, { ...dry, wind, code: 3 }],
  ['light rain', wet('-RA'), {}, { ...dry, wind, code: 5 }],
  ['heavy rain', wet('+RA'), {}, { ...dry, wind, code: 2 }],
  ['rain that has ended', `${wet('')} RERA`, {}, { ...dry, wind, code: 5 }],
  ['freezing rain', wet('FZRA'), {}, { ...dry, wind, code: 1 }],
  ['snow', report('03012KT 2000 SN M03/M04 A3002'), {}, { ...dry, wind, c: -3, code: 3 }],
  ['a dense mist', report('03012KT 0800 BR 18/17 A3002'), {}, { ...dry, wind, code: 5 }],
  ['a planned wet runway', wet(''), { surface_condition: 'wet' }, { ...dry, wind, code: 5 }],
  ['planned compacted snow', wet(''), { surface_condition: 'COMPACTED SNOW' }, { ...dry, wind, code: 3 }],
  ['planned standing water', wet(''), { surface_condition: 'standing_water' }, { ...dry, wind, code: 2 }],
  ['planned ice', wet(''), { surface_condition: 'ice' }, { ...dry, wind, code: 1 }],
  ['a planned condition code', wet(''), { surface_condition: '5/4/3' }, { ...dry, wind, code: 3 }],
  [
    'a report that is worse than the plan',
    wet('+RA'),
    { surface_condition: 'wet' },
    { ...dry, wind, code: 2 },
  ],
  [
    'a plan that is worse than the report',
    wet('-RA'),
    { surface_condition: 'slush' },
    { ...dry, wind, code: 2 },
  ],
  ['a special report', `SPECI ${report('03012KT 10SM 18/12 A3002')}`, {}, { ...dry, wind }],
  ['a corrected report', `METAR COR ${report('03012KT 10SM 18/12 A3002')}`, {}, { ...dry, wind }],
  ['a wind between two directions', report('03012KT 350V070 10SM 18/12 A3002'), {}, { ...dry, wind }],
  ['a wind from north', report('36012KT 10SM 18/12 A3002'), {}, { ...dry, wind: [360, 12] }],
  [
    'gusts in metres per second',
    report('03006G12MPS 9999 18/12 A3002'),
    {},
    { ...dry, wind: [30, 6 * 1.943_844, 12 * 1.943_844] },
  ],
  ['a calm in metres per second', report('00000MPS 9999 18/12 A3002'), {}, { ...dry, wind: [0, 0] }],
  ['a trend with gusts', report('03012KT 9999 18/12 A3002 TEMPO 21025G40KT'), {}, { ...dry, wind }],
  ['a dew point that is missing', report('03012KT 9999 18/// A3002'), {}, { ...dry, wind }],
  ['a temperature of minus zero', report('03012KT 9999 M00/M03 A3002'), {}, { ...dry, wind, c: 0 }],
  ['two pressures', report('03012KT 9999 18/12 Q0985 A2909'), {}, { ...dry, wind, hPa: 985 }],
  ['remarks', report('03012KT 10SM CLR 18/12 A3002 RMK AO2 SLP163 T01780122'), {}, { ...dry, wind }],
  ['showers in the vicinity', wet('VCSH'), {}, { ...dry, wind }],
  ['a thunderstorm with rain', wet('TSRA'), {}, { ...dry, wind, code: 5 }],
  ['drizzle', wet('DZ'), {}, { ...dry, wind, code: 5 }],
  ['rain and snow', report('03012KT 2000 RASN 01/00 A3002'), {}, { ...dry, wind, c: 1, code: 2 }],
  ['heavy snow', report('03012KT 0400 +SN M03/M04 A3002'), {}, { ...dry, wind, c: -3, code: 3 }],
  ['a runway that is cleared', `${wet('')} R04L/CLRD70`, {}, { ...dry, wind }],
  ['a runway state of another runway', `${wet('')} R13L/790094`, {}, { ...dry, wind }],
  ['braking action poor', `${wet('')} R04L/590091`, {}, { ...dry, wind, code: 1 }],
  [
    'a planned code for each third',
    wet('-RA'),
    { surface_condition: 'RWYCC 2/2/2' },
    { ...dry, wind, code: 2 },
  ],
  ['an unknown surface', wet(''), { surface_condition: 'grooved' }, { ...dry, wind }, ['runway condition']],
];

interface Landed {
  lda: number;
  autobrakeLandingDist: { autobrakeValue: string; unfactoredDistance: number }[];
}

/** Never shorter, but for the rounding of weights and pressures, and not longer for another reason. */
const expectAsKernel = ({ autobrakeLandingDist: modes }: Landed, expected: Map<string, number>) => {
  expect(modes.length).toBeGreaterThan(0);
  for (const { autobrakeValue, unfactoredDistance } of modes) {
    const alone = expected.get(autobrakeValue) ?? Infinity;
    expect(unfactoredDistance, autobrakeValue).toBeGreaterThan(alone - 0.5);
    expect(unfactoredDistance, autobrakeValue).toBeLessThan(alone * 1.005 + 1);
  }
};

let seconds = 0;
const storeMetar = (raw: string) => {
  seconds += 1;
  const observedAt = addSeconds(new Date('2026-09-16T11:51:00Z'), seconds).toISOString();
  const stored = [{ icao: 'KJFK', observedAt, raw: `METAR ${raw}`, source: 'AWC' }];
  return api.context.postgres.transaction((tx) => metarWrites(tx).store(stored, api.context.clock.now()));
};
interface Reported {
  isClosed: boolean;
  situation: { weather: Fields; sources: Fields; runwayConditions: Record<string, Fields> };
}
const reported = async (metar: string): Promise<Reported> => {
  await storeMetar(metar);
  const { body } = await api.call('weather', { token: user.token, devKey: key, data: { icao: 'KJFK' } });
  return (body as { metar: { metar2SVC: Record<string, Reported> } }).metar.metar2SVC['04l'] as Reported;
};
const request = (more: Fields): Fields => ({
  requestType: 'LANDING',
  landingMode: 'inflight',
  units: { distance: 'meter' },
  aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
  airport: 'KJFK',
  runway: '04L',
  weight: { landingWeight: 56_000 },
  ...more,
});

/** Those whose report says everything. */
const complete = situations.filter(
  ([, metar, tlr]) => metar !== '' && !/\/\/\/|NIL/.test(metar) && tlr && Object.keys(tlr).length === 0,
);

describe('one flight', () => {
  test.each(complete.map((situation, i) => [...situation.slice(0, 1), i] as [string, number]))(
    'The situation that weather reports with %s is pasted unchanged and is that of the report',
    async (_, i) => {
      const [, metar, , raw] = complete[i] as (typeof complete)[number];
      const { weather, sources, runwayConditions } = (await reported(metar)).situation;
      const { status, body } = await land(
        request({ weather, sources, runwayCondition: runwayConditions['landingEnroute'] }),
      );
      expect([status, body['error']]).toEqual([200, undefined]);
      expectAsKernel(body['performance'] as Landed, kernel(raw, 56_000));
      const dispatch = { landingMode: 'dispatch', runwayCondition: runwayConditions['landingDispatch'] };
      expect((await land(request({ weather, sources, ...dispatch }))).status).toBe(200);
    },
  );

  test.each(situations.map((situation, i) => [...situation.slice(0, 1), i] as [string, number]))(
    'The defaults of a plan with %s are pasted unchanged, never shorter than its reports, and name what is assumed',
    async (_, i) => {
      const [, metar, tlr, raw, assumed = []] = situations[i] as (typeof situations)[number];
      const { ofp } = await imported(i, { metar, tlr });
      const { landing } = ofp.performanceDefaults;
      const { status, body } = await land(landing);
      expect([status, body['error'], body['calculationPossible']]).toEqual([200, undefined, true]);
      const massKg = (landing['weight'] as { landingWeight: number }).landingWeight;
      const answer = body['performance'] as Landed;
      expectAsKernel(answer, kernel(raw, massKg));
      expect(answer.lda).toBe(3355);
      const named = (body['caution'] as string[]).find((line) => line.startsWith('Assumed')) ?? '';
      expect(assumed.filter((part) => !named.includes(part))).toEqual([]);
      expect(named !== '').toBe(assumed.length > 0);
    },
  );

  test('A runway closed by snow has no condition, and the calculation is refused by its name', async () => {
    const closed = await imported(0, { metar: `${wet('')} R/SNOCLO` });
    const refused = await land(closed.ofp.performanceDefaults.landing);
    const { situation } = await reported(`${wet('')} R/SNOCLO`);
    const pasted = request({ runwayCondition: situation.runwayConditions['landingEnroute'] });
    for (const { status, body } of [refused, await land(pasted)]) {
      expect(status).toBe(400);
      expect(JSON.stringify(body['error'])).toContain('closed by snow');
    }
  });

  test('Without report and performance section the forecast of the arrival counts, and what it lacks is assumed', async () => {
    const taf = 'TAF KJFK 161130Z 1612/1718 15012KT P6SM SKC FM161400 21010G20KT 3SM RA OVC020';
    const { ofp, warnings } = await imported(3, { taf, tlr: null });
    const { body } = await land(ofp.performanceDefaults.landing);
    const { landingWeight } = ofp.performanceDefaults.landing['weight'] as { landingWeight: number };
    const expected: Raw = { wind: [210, 10, 20], c: 15, hPa: 1013, code: 5 };
    expectAsKernel(body['performance'] as Landed, kernel(expected, landingWeight));
    const { sources } = ofp.performanceDefaults.landing as { sources: Record<string, Fields> };
    expect([sources['wind']?.['source'], sources['temperature']?.['source']]).toEqual([
      'forecast',
      'assumed',
    ]);
    expect(warnings.map(({ code }) => code)).toEqual(['FORECAST_RUNWAY_CONDITION', 'FORECAST_WIND_LIMIT']);
  });

  test('A plan without landing weight, for an unknown runway or a closed one says so, and performance refuses by name', async () => {
    const { ofp, warnings } = await imported(1, { metar: wet(''), runway: '09' });
    expect(warnings).toMatchObject([{ code: 'RUNWAY_UNKNOWN', message: 'KJFK has no runway 09.' }]);
    expect((await land(ofp.performanceDefaults.landing)).body['error']).toMatchObject({
      code: 'RUNWAY_NOT_FOUND',
    });
    const { landing } = (await imported(2, { metar: wet('') })).ofp.performanceDefaults;
    const weightless = await land({ ...landing, weight: { landingWeight: null } });
    expect(JSON.stringify(weightless.body['error'])).toContain('weight.landingWeight');
  });

  test('NOTAM of the time of arrival warn at import and are named with the result; a closure is refused', async () => {
    const notam = (number: string, code: string, text: string, from: string, to: string) =>
      `${number} NOTAMN\nQ) KZNY/${code}/IV/NBO/A/000/999/4038N07346W005\nA) KJFK B) ${from} C) ${to}\nE) ${text}\n\n`;
    const { records } = parseNotamTexts(
      notam('A0001/26', 'QMRLC', 'RWY 13L/31R CLSD', '2609161400', '2609161600') +
        notam(
          'A0002/26',
          'QMDCH',
          'RWY 22R DECLARED DISTANCES CHANGED: LDA 2000M',
          '2609161400',
          '2609161600',
        ) +
        notam('A0003/26', 'QMRLC', 'RWY 13R/31L CLSD', '2609161100', '2609161300'),
    );
    const options = { source: 'test', now: api.context.clock.now(), isComplete: true };
    await api.context.postgres.transaction((tx) => notamWrites(tx).store(records, options));
    await storeMetar(wet(''));
    const { body } = await api.call('weather', { token: user.token, devKey: key, data: { icao: 'KJFK' } });
    const { metar2SVC } = (body as { metar: { metar2SVC: Record<string, Reported> } }).metar;
    const shut = Object.keys(metar2SVC).filter((ident) => metar2SVC[ident]?.isClosed);
    expect(shut.toSorted()).toEqual(['13r', '31l']);
    expect((await land(request({ runway: '13R' }))).body['error']).toMatchObject({ code: 'RUNWAY_CLOSED' });
    const arriving = async (planned: string) => {
      const { ofp, warnings } = await imported(0, { metar: wet(''), runway: planned });
      return { warnings, ...(await land(ofp.performanceDefaults.landing)) };
    };
    const closed = await arriving('13L');
    expect(closed.warnings[0]).toMatchObject({ code: 'RUNWAY_CLOSED' });
    expect(closed.body['error']).toMatchObject({ code: 'RUNWAY_CLOSED' });
    const open = await arriving('13R');
    expect([open.status, open.warnings]).toEqual([200, []]);
    const shortened = await arriving('22R');
    expect(shortened.warnings).toMatchObject([{ code: 'NOTAM_IN_FORCE' }]);
    expect(shortened.body['performance']).toMatchObject({
      noticesInForce: [{ notam: 'A0002/26', lda: 2000 }],
    });
  });

  test('A planned runway that is named RW is the runway', async () => {
    const { ofp } = await imported(0, { metar: wet(''), runway: 'RW04L' });
    expect(ofp.performanceDefaults.landing['runway']).toBe('04L');
  });

  test('A registration of another type than the plan does not decide', async () => {
    const { save } = fleetCalls(api);
    expect((await save(user, 'N320XX', 'A320-251N', { weight: { mslw: 66_000 } })).status).toBe(200);
    const { ofp, warnings } = await imported(1, { metar: wet(''), registration: 'N320XX' });
    expect(warnings).toMatchObject([{ code: 'PROFILE_CONFLICT' }]);
    expect(ofp.performanceDefaults.landing['aircraft']).toMatchObject({ userRegistration: null });
  });
});
