/** One flight: the values of a plan are sent unchanged to performance, and the result compared with the kernel alone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addSeconds } from '#domain/time.ts';
import { loadProfiles } from '#data/aircraft/profiles.ts';
import { parseNotamTexts } from '#domain/notam/parse.ts';
import { notamWrites } from '#store/postgres/notam/notam.ts';
import { metarWrites } from '#store/postgres/weather/reports.ts';
import { calculateLanding } from '#perf/landing/calculate.ts';
import { checkProfile } from '#perf/check/profile.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { fleetCalls } from '#test/support/fleet.ts';
import { makers } from '#test/support/flights.ts';
import type { FlightOptions } from '#test/support/flights.ts';
import { sampled } from '#test/support/deep.ts';
import { situations, wet } from '#test/support/situations.ts';
import type { Raw } from '#test/support/situations.ts';

let api: TestApi;
let user: TestUser;
let key: string;
/** With the METAR of each situation, which takes precedence over the METAR in the plan. */
let stations: TestApi;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  key = await api.key({ weather: true });
  stations = await testApi();
  await importAirports(stations.context, ['KJFK']);
  await importAirports(api.context, ['KJFK', 'KBOS']);
  await api.grant(user, 'EFB_COMMERCIAL_Y');
});
afterAll(() => Promise.all([api.close(), stations.close()]));

type Fields = Record<string, unknown>;
const profile = (await loadProfiles(checkProfile)).get('737-800-7B26');
if (!profile) throw new Error('no profile');

/** KJFK 04L as published. */
const runway = { bearingDeg: 30.76, ldaM: 3355.8, elevationM: 11.9 * 0.3048, slope: 0.00005, widthM: 61 };
const mps = (kt: number) => kt * (1852 / 3600);

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
  return new Map(outcome.result.modes.map(({ autobrake, actualM }) => [autobrake, actualM]));
};

let requestId = 184_100_000;
const imported = async (maker: number, given: Partial<FlightOptions>, importer = user) => {
  requestId += 1;
  const make = makers[maker % makers.length] ?? makers[0];
  const usual = { metar: '', taf: '', tlr: {}, runway: '04L', registration: 'N0SYN' };
  const data = make?.({ ...usual, requestId: String(requestId), ...given });
  const answer = await api.call('ofpImport', { token: importer.token, data });
  expect([answer.status, answer.body['error']]).toEqual([200, undefined]);
  const ofp = answer.body['ofp'] as { ofpId: string; performanceDefaults: { landing: Fields } };
  return { ofp, warnings: answer.body['warnings'] as { code: string; message: string }[] };
};
const land = (data: Fields, token = user.token) => api.call('performance', { token, data });

interface Landed {
  lda: number;
  autobrakeLandingDist: { autobrakeValue: string; unfactoredDistance: number }[];
}

/** Never shorter except by rounding of weights and pressures, and never longer for any other reason. */
const expectAsKernel = ({ autobrakeLandingDist: modes }: Landed, expected: Map<string, number>) => {
  expect(modes.length).toBeGreaterThan(0);
  for (const { autobrakeValue, unfactoredDistance } of modes) {
    const alone = expected.get(autobrakeValue) ?? Infinity;
    expect(unfactoredDistance, autobrakeValue).toBeGreaterThan(alone - 0.5);
    expect(unfactoredDistance, autobrakeValue).toBeLessThan(alone * 1.005 + 1);
  }
};

let seconds = 0;
const storeMetar = ({ context }: TestApi, raw: string, time = '11:51') => {
  seconds += 1;
  const observedAt = addSeconds(new Date(`2026-09-16T${time}:00Z`), seconds).toISOString();
  const stored = [{ icao: 'KJFK', observedAt, raw: `METAR ${raw}`, source: 'AWC' }];
  return context.postgres.transaction((tx) => metarWrites(tx).store(stored, context.clock.now()));
};
interface Reported {
  isClosed: boolean;
  situation: { weather: Fields; sources: Fields; runwayConditions: Record<string, Fields> };
}
const reported = async (metar: string): Promise<Reported> => {
  await storeMetar(stations, metar);
  const reader = await stations.user();
  const devKey = await stations.key({ weather: true });
  const { body } = await stations.call('weather', { token: reader.token, devKey, data: { icao: 'KJFK' } });
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

/** Of the METAR. */
const landingWithinTheHour = new Date('2026-09-16T11:10:00Z');

/** Situations whose report gives every value. */
const complete = situations.filter(
  ([, metar, tlr]) => metar !== '' && !/\/\/\/|NIL/.test(metar) && tlr && Object.keys(tlr).length === 0,
);

const numbered = (list: typeof situations): [string, number][] => list.map(([name], i) => [name, i]);

describe('one flight through several queries', () => {
  test.each(sampled(numbered(complete), 8))(
    'The conditions that weather returns for %s are accepted unchanged and match the report',
    async (_, i) => {
      const [, metar, , raw] = complete[i] as (typeof complete)[number];
      const { weather, sources, runwayConditions } = (await reported(metar)).situation;
      const { status, body } = await land(
        request({ weather, sources, runwayCondition: runwayConditions['landingEnroute'] }),
      );
      expect([status, body['error']]).toEqual([200, undefined]);
      expectAsKernel(body['performance'] as Landed, kernel(raw, 56_000));
      if (raw.code === 6) return;
      const dispatch = { landingMode: 'dispatch', runwayCondition: runwayConditions['landingDispatch'] };
      expect((await land(request({ weather, sources, ...dispatch }))).status).toBe(200);
    },
  );

  test.each(sampled(numbered(situations), 6))(
    'The defaults of a plan with %s are accepted unchanged, never give a shorter distance than its reports, and name assumptions',
    async (_, i) => {
      const [, metar, tlr, reportedNow, assumed = [], raw = reportedNow] = situations[
        i
      ] as (typeof situations)[number];
      const fresh = metar.replace('161151Z', '161155Z');
      const { ofp } = await imported(i, { metar: fresh, tlr, out: landingWithinTheHour });
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

  test('A runway closed by snow has no condition, and the calculation is refused with that reason', async () => {
    const closed = await imported(0, { metar: `${wet('')} R/SNOCLO`, out: landingWithinTheHour });
    const refused = await land(closed.ofp.performanceDefaults.landing);
    const { situation } = await reported(`${wet('')} R/SNOCLO`);
    const pasted = request({ runwayCondition: situation.runwayConditions['landingEnroute'] });
    for (const { status, body } of [refused, await land(pasted)]) {
      expect(status).toBe(400);
      expect(JSON.stringify(body['error'])).toContain('closed by snow');
    }
  });

  test('Without a report and a performance section the arrival forecast is used, and values missing from it are assumed', async () => {
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

  test('A plan without landing weight, or for an unknown or closed runway, says so, and performance refuses it with that reason', async () => {
    const { ofp, warnings } = await imported(1, { metar: wet(''), runway: '09' });
    expect(warnings).toMatchObject([{ code: 'RUNWAY_UNKNOWN', message: 'KJFK has no runway 09.' }]);
    expect((await land(ofp.performanceDefaults.landing)).body['error']).toMatchObject({
      code: 'RUNWAY_NOT_FOUND',
    });
    const { landing } = (await imported(2, { metar: wet('') })).ofp.performanceDefaults;
    const weightless = await land({ ...landing, weight: { landingWeight: null } });
    expect(JSON.stringify(weightless.body['error'])).toContain('weight.landingWeight');
  });

  test('NOTAM in force at arrival give a warning at import and change the result, and a closed runway is refused', async () => {
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
    await storeMetar(api, wet(''), '02:00');
    const { body } = await api.call('weather', { token: user.token, devKey: key, data: { icao: 'KJFK' } });
    const { metar2SVC } = (body as { metar: { metar2SVC: Record<string, Reported> } }).metar;
    const shut = Object.keys(metar2SVC).filter((ident) => metar2SVC[ident]?.isClosed);
    expect(shut.toSorted()).toEqual(['13r', '31l']);
    expect((await land(request({ runway: '13R' }))).body['error']).toMatchObject({ code: 'RUNWAY_CLOSED' });
    const arriving = async (planned: string) => {
      const { ofp, warnings } = await imported(0, { metar: wet(''), runway: planned });
      const { landing } = ofp.performanceDefaults;
      return { warnings, runway: landing['runway'], ...(await land(landing)) };
    };
    const closed = await arriving('13L');
    expect(closed.warnings[0]).toMatchObject({ code: 'RUNWAY_CLOSED' });
    expect(closed.body['error']).toMatchObject({ code: 'RUNWAY_CLOSED' });
    const open = await arriving('13R');
    expect([open.status, open.warnings]).toEqual([200, []]);
    const shortened = await arriving('22R');
    expect(shortened.warnings).toMatchObject([{ code: 'NOTAM_IN_FORCE' }]);
    // Planned for the runway as shortened by the NOTAM.
    expect(shortened.runway).toBe('22R.N2');
    expect(shortened.body['performance']).toMatchObject({ lda: 2000, noticesInForce: [] });
  });

  test('A planned runway with the prefix RW is the runway itself', async () => {
    const { ofp } = await imported(0, { metar: wet(''), runway: 'RW04L' });
    expect(ofp.performanceDefaults.landing['runway']).toBe('04L');
  });

  test('A registration of another type than the plan’s does not select the profile', async () => {
    const { save } = fleetCalls(api);
    expect((await save(user, 'N320XX', 'A320-251N', { weight: { mslw: 66_000 } })).status).toBe(200);
    const { ofp, warnings } = await imported(1, { metar: wet(''), registration: 'N320XX' });
    expect(warnings).toMatchObject([{ code: 'PROFILE_CONFLICT' }]);
    expect(ofp.performanceDefaults.landing['aircraft']).toMatchObject({ userRegistration: null });
  });

  test.each([0, 1, 2, 3])(
    'A report older than the window of planner %i stays in the plan, and the defaults and applied give its age',
    async (maker) => {
      const metar = 'KJFK 160251Z 21012KT 10SM -RA 18/12 A3002';
      const { ofp } = await imported(maker, { metar, isOld: true, tlr: null });
      const { body } = await api.call('ofpGet', { token: user.token, data: { ofpId: ofp.ofpId } });
      expect(body['normalized']).toMatchObject({
        destination: { metar, metarTime: '2026-09-16T02:51:00Z', metarAgeMinutes: 429 },
      });
      const { landing } = ofp.performanceDefaults;
      const ageMinutes = (Date.parse(String(landing['at'])) - Date.parse('2026-09-16T02:51:00Z')) / 60_000;
      const sourced = { source: 'reported', at: '2026-09-16T02:51:00Z', ageMinutes: Math.round(ageMinutes) };
      expect(landing).toMatchObject({ sources: { wind: sourced, runwayCondition: sourced } });
      const answer = (await land(landing)).body;
      const massKg = (landing['weight'] as { landingWeight: number }).landingWeight;
      expectAsKernel(
        answer['performance'] as Landed,
        kernel({ wind: [210, 12], c: 18, hPa: 1016, code: 5 }, massKg),
      );
      expect(JSON.stringify(answer['applied'])).toContain(
        `${Math.round(ageMinutes)} min before: METAR of the plan`,
      );
    },
  );

  test.each(['METRIC_M', 'IMPERIAL', 'HYBRID1', 'HYBRID2', 'HYBRID3'])(
    'The defaults of a plan in the units of a user of %s mean the same landing',
    async (defaultUnit) => {
      const reader = await api.user();
      await api.grant(reader, 'EFB_COMMERCIAL_Y');
      const set = await api.call('saveUserSettings', { token: reader.token, data: { defaultUnit } });
      expect([set.status, set.body['error']]).toEqual([200, undefined]);
      const metar = 'KJFK 161151Z 03012G25KT 10SM 18/12 A3002 R04L/590595';
      const { ofp } = await imported(0, { metar, out: landingWithinTheHour }, reader);
      const { landing } = ofp.performanceDefaults;
      const answer = (await land(landing, reader.token)).body;
      const kg = Math.round(119_720 * 0.453_592_37);
      const alone = kernel({ wind: [30, 12, 25], c: 18, hPa: 1016, code: 3 }, kg);
      const inMetres = (landing['units'] as { distance: string }).distance === 'meter' ? 1 : 0.3048;
      const { autobrakeLandingDist } = answer['performance'] as Landed;
      const modes = autobrakeLandingDist.map((mode) => ({
        ...mode,
        unfactoredDistance: mode.unfactoredDistance * inMetres,
      }));
      expectAsKernel({ lda: 0, autobrakeLandingDist: modes }, alone);
    },
  );

  test('A profile saved in pounds is the same in the plan, in fleetGet and in the landing limits', async () => {
    const { save, get } = fleetCalls(api);
    const data = { weight: { mslw: 140_000 } };
    expect((await save(user, 'N0LBS', '737-800-7B26', data, { units: { weight: 'lb' } })).status).toBe(200);
    const { fleetRow, merged } = (await get(user, 'N0LBS')).body['data'] as {
      fleetRow: { file: string; registration: string };
      merged: { weight: { mslw: number } };
    };
    expect(Math.round(merged.weight.mslw)).toBe(Math.round(140_000 * 0.453_592_37));
    const { ofp } = await imported(1, { metar: wet(''), registration: 'N0LBS' });
    const aircraft = { file: fleetRow.file, userRegistration: fleetRow.registration, virtualAirline: null };
    expect(ofp.performanceDefaults.landing['aircraft']).toEqual(aircraft);
    const { body } = await land(ofp.performanceDefaults.landing);
    expect(body['performance']).toMatchObject({ structLandingWeight: Math.floor(merged.weight.mslw) });
  });

  /** NOTAM text for 13R/31L, whose thresholds are displaced, and whether it shortens the LDA of each. */
  const notams: readonly [string, boolean, boolean][] = [
    ['RWY 13R THR DISPLACED 900M', true, false],
    ['RWY 31L THR DISPLACED 1100M', false, true],
    ['RWY 13R FIRST 800M CLSD', true, true],
    ['RWY 31L LAST 800M CLSD', true, true],
  ];
  test.each(notams)(
    'With the NOTAM "%s" airport and performance return the same runway lengths',
    async (text, first, second) => {
      const number = `A01${String(notams.findIndex(([each]) => each === text)).padStart(2, '0')}/26`;
      const { records } = parseNotamTexts(
        `${number} NOTAMN\nQ) KZNY/QMRXX/IV/NBO/A/000/999/4038N07346W005\nA) KJFK B) 2609170000 C) 2609180000\nE) ${text}\n\n`,
      );
      const options = { source: `test ${number}`, now: api.context.clock.now(), isComplete: false };
      await api.context.postgres.transaction((tx) => notamWrites(tx).store(records, options));
      const at = '2026-09-17T12:00:00Z';
      const { body } = await api.call('airport', { token: user.token, data: { icao: 'KJFK', at } });
      const { runways } = body['airport'] as {
        runways: {
          ident: string;
          notams: { id: string; notam: string; lda: number | null }[];
        }[];
      };
      for (const [ident, taken] of [
        ['13R', first],
        ['31L', second],
      ] as const) {
        const found = runways.find((each) => each.ident === ident);
        const variant = found?.notams.find((each) => each.notam === number);
        const plain = (await land(request({ runway: ident, at }))).body['performance'] as Landed & {
          noticesInForce: { runway: string; notam: string; lda: number }[];
        };
        const notice = plain.noticesInForce.find((each) => each.notam === number);
        expect([notice?.runway, notice?.lda]).toEqual([
          variant?.id,
          variant ? Math.floor(variant.lda ?? 0) : undefined,
        ]);
        expect(variant !== undefined).toBe(taken);
        if (!variant) continue;
        const landed = (await land(request({ runway: variant.id, at }))).body['performance'] as Landed;
        expect(landed.lda).toBe(Math.floor(variant.lda ?? 0));
        expect(landed.lda).toBeLessThan(plain.lda);
        expect(landed.autobrakeLandingDist).toHaveLength(plain.autobrakeLandingDist.length);
      }
    },
  );
});
