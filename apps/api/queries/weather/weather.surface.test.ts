import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseNotamTexts } from '#domain/notam/parse.ts';
import { notamWrites } from '#store/postgres/notam/notam.ts';
import { metarWrites } from '#store/postgres/weather/reports.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at as fieldAt } from '#test/support/answers.ts';
import { importAirports } from '#test/support/airports.ts';
import { codeOf } from '#test/support/subscriptions.ts';

let api: TestApi;
let pilot: TestUser;

const ficon = (number: number, words: string, observed: string): string =>
  `!JFK 09/${number} JFK RWY ${words} OBS AT 260916${observed}. 260916${observed}-2609171200\n`;

const snowtam =
  '\nSWUS0016 KBOS 09161140\n(SNOWTAM 0016\nKBOS\n09161140 04R 5/2/3 100/75/100 NR/06/12 WET/SLUSH/WET SNOW\n' +
  '09161140 09 2/2/2 100/100/100 03/03/03 WET SNOW/WET SNOW/WET SNOW\n' +
  '09161140 15R 1/1/1 100/100/100 08/08/08 SLUSH/SLUSH/SLUSH)\n';

beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
  await api.grant(pilot, 'EFB_PRO_M');
  await importAirports(api.context, ['KJFK', 'KBOS']);
  const now = api.context.clock.now();
  const { records } = parseNotamTexts(
    ficon(201, '04L FICON 5/3/3 100 PCT WET, 50 PCT 1/4IN WET SN, 50 PCT 1/2IN WET SN', '1130') +
      ficon(202, '13L FICON 0/0/0 100 PCT WET ICE', '1100') +
      ficon(203, '13R FICON 1/1/1 100 PCT ICE', '0200') +
      ficon(204, '04R FICON 6/6/6', '1000') +
      ficon(205, '04R FICON 100 PCT GREEN SLIME', '1001') +
      snowtam,
    now,
  );
  await api.context.postgres.transaction(async (tx) => {
    await notamWrites(tx).store(records, { source: 'fixture', now, isComplete: true });
    const raw = 'METAR KJFK 161151Z 03012KT 10SM -RA BKN030 02/01 A3002';
    await metarWrites(tx).store(
      [{ icao: 'KJFK', observedAt: '2026-09-16T11:51:00.000Z', raw, source: 'AWC' }],
      now,
    );
  });
});
afterAll(() => api.close());

interface Block {
  runwayConditionLandingEnroute: string | null;
  runwayConditionLandingDispatch: string | null;
  situation: {
    rwycc: number | null;
    depth: number | null;
    sources: { runwayCondition: { source: string; text: string } };
  };
}

test('In the query weather, the condition reported by the operator takes precedence over the one suggested by the METAR', async () => {
  const { body } = await api.call('weather', { token: pilot.token, data: { icao: 'KJFK' } });
  const blocks = (body['metar'] as { metar2SVC: Record<string, Block> }).metar2SVC;
  const shown = (key: string) => {
    const { runwayConditionLandingEnroute, runwayConditionLandingDispatch, situation } = blocks[key] as Block;
    const { source, text } = situation.sources.runwayCondition;
    return [runwayConditionLandingEnroute, runwayConditionLandingDispatch, situation.depth, source, text];
  };
  // It has rained since.
  const medium = ['MEDIUM', 'WET_SNOW', 13, 'operator', 'FICON 09/201: 5/3/3; rain since (-RA)'];
  expect(shown('04l')).toEqual(medium);
  expect(shown('22r')).toEqual([...medium.slice(0, 4), 'FICON 09/201: 3/3/5; rain since (-RA)']);
  expect(shown('13l')).toEqual([null, null, null, 'operator', 'FICON 09/202: 0/0/0; rain since (-RA)']);
  // Ten hours old, and in force until tomorrow.
  expect(shown('13r')).toEqual(['POOR', 'ICE', null, 'operator', 'FICON 09/203: 1/1/1; rain since (-RA)']);
  // Dry before it rained.
  expect(shown('04r')).toEqual(['GOOD', 'WET', null, 'reported', 'METAR: -RA']);
  expect(body['runwayReports']).toMatchObject([
    {
      format: 'FICON',
      notam: '09/201',
      runways: ['04L', '22R'],
      observedAt: '2026-09-16T11:30:00.000Z',
      ageMinutes: 30,
      isExpired: false,
      thirds: [
        { rwycc: 5, isReported: true, deposits: [{ contaminant: 'WET', coverage: 100, depth: null }] },
        { rwycc: 3, deposits: [{ contaminant: 'WET_SNOW', coverage: 50, depth: 6.4 }] },
        { rwycc: 3, deposits: [{ contaminant: 'WET_SNOW', coverage: 50, depth: 13 }] },
      ],
    },
    { notam: '09/202', ageMinutes: 60 },
    { notam: '09/204', thirds: [{ rwycc: 6, deposits: [] }, {}, {}] },
    { notam: '09/203', ageMinutes: 600, isExpired: false },
  ]);
});

const ask = (runway: string, runwayCondition?: unknown, at: string | null = null, airport = 'KJFK') =>
  api.call('performance', {
    token: pilot.token,
    data: {
      requestType: 'LANDING',
      landingMode: 'inflight',
      aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
      airport,
      runway,
      at,
      weather: { windDirection: 30, windSpeed: 12, temperature: 2, qnh: 1013 },
      weight: { landingWeight: 60_000 },
      ...(runwayCondition === undefined ? {} : { runwayCondition }),
    },
  });
type Applied = { name: string; value: unknown; source: string }[];
type Cautions = { code: string; severity: string; text: string }[];

test('A landing without a given condition uses the reported one and says so', async () => {
  const { body } = await ask('04L');
  expect((body['applied'] as Applied).find(({ source }) => source.includes('FICON'))).toMatchObject({
    value: 'MEDIUM',
    source: 'operator 2026-09-16T11:30:00.000Z, 30 min before: FICON 09/201: 5/3/3',
  });
  const named = await ask('04L', { state: 'MEDIUM' });
  const { autobrakeLandingDist } = named.body['performance'] as { autobrakeLandingDist: unknown };
  expect(body['performance']).toMatchObject({ autobrakeLandingDist });
  expect(autobrakeLandingDist).toHaveLength(5);
});

test('A landing uses the worst third of a SNOWTAM and gives its number and age; after eight hours the report has expired, yet remains the last known', async () => {
  const surfaceAt = async (runway: string, at: string | null) => {
    const { status, body } = await ask(runway, undefined, at, 'KBOS');
    const applied = body['applied'] as Applied;
    const found = applied.find(({ source }) => source.includes('SNOWTAM'));
    const isPoor = applied.some(({ value }) => value === 'MEDIUM_TO_POOR');
    const codes = (body['cautions'] as Cautions).map(({ code }) => code);
    return [status, isPoor, found?.value, found?.source, codes.includes('SURFACE_REPORT_EXPIRED')];
  };
  const used = (age: number, codes: string, isOver = false) => [
    200,
    true,
    'MEDIUM_TO_POOR',
    `operator 2026-09-16T11:40:00.000Z, ${age} min before: SNOWTAM 0016: ${codes}${isOver ? ', expired' : ''}`,
    isOver,
  ];
  expect(await surfaceAt('04R', null)).toEqual(used(20, '5/2/3'));
  expect(await surfaceAt('22L', '2026-09-16T19:39:00Z')).toEqual(used(479, '3/2/5'));
  expect(await surfaceAt('04R', '2026-09-16T19:41:00Z')).toEqual(used(481, '5/2/3', true));
  expect(await surfaceAt('04R', '2026-09-17T19:41:00Z')).toEqual([200, false, undefined, undefined, false]);
});

test('A takeoff uses the reported condition, too, however its runway is written', async () => {
  const takeoff = (runway: string) =>
    api.call('performance', {
      token: pilot.token,
      data: {
        requestType: 'TAKEOFF',
        units: { distance: 'meter' },
        aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
        airport: 'KJFK',
        runway,
        weather: { windDirection: 30, windSpeed: 12, temperature: 2, qnh: 1013 },
        weight: { takeoffWeight: 60_000 },
      },
    });
  for (const runway of ['04L', '04l', '4L']) {
    const { status, body } = await takeoff(runway);
    const found = (body['applied'] as Applied | undefined)?.find(({ source }) => source.includes('FICON'));
    expect([runway, status, found?.value]).toEqual([runway, 200, 'WET_SNOW 13 mm']);
  }
});

test('A thin layer reported with a code worse than that of its contaminant is calculated with the reported code at dispatch and for takeoff', async () => {
  const calculated = async (more: object) => {
    const { body } = await api.call('performance', {
      token: pilot.token,
      data: {
        aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
        airport: 'KBOS',
        runway: '27',
        weather: { windDirection: 270, windSpeed: 8, temperature: -2, qnh: 1013 },
        ...more,
      },
    });
    const { rwycc } = body['performance'] as { rwycc: number };
    const worse = (body['cautions'] as Cautions).filter(({ code }) => code === 'OFFICIAL_CONDITION_WORSE');
    return [rwycc, worse.map(({ text }) => text)];
  };
  const takeoff = { requestType: 'TAKEOFF', weight: {} };
  expect(await calculated(takeoff)).toEqual([1, []]);
  expect(await calculated({ requestType: 'LANDING', landingMode: 'dispatch' })).toEqual([1, []]);
  // Slush is kept because of its drag, with the reported code.
  expect(await calculated({ ...takeoff, runway: '15R' })).toEqual([1, []]);
  // The same holds if a client sends back the condition from `weather`; a different depth is the client's own
  // value.
  const metar = {
    icao: 'KBOS',
    observedAt: '2026-09-16T11:35:00.000Z',
    raw: 'METAR KBOS 161135Z 27008KT 10SM CLR M02/M05 A2992',
    source: 'AWC' as const,
  };
  await api.context.postgres.transaction((tx) => metarWrites(tx).store([metar], api.context.clock.now()));
  const weather = await api.call('weather', {
    token: pilot.token,
    devKey: await api.key(),
    data: { icao: 'KBOS' },
  });
  const form = fieldAt(
    weather,
    'metar',
    'metar2SVC',
    '15r',
    'situation',
    'runwayConditions',
    'takeoffDispatch',
  ) as {
    state: string;
    depth: number;
  };
  expect(form.state).toBe('SLUSH');
  expect(await calculated({ ...takeoff, runway: '15R', runwayCondition: form })).toEqual([1, []]);
  const deeper = { state: 'SLUSH', depth: form.depth + 1 };
  expect(await calculated({ ...takeoff, runway: '15R', runwayCondition: deeper })).toMatchObject([2, [{}]]);
  for (const state of ['SLIPPERY_WET', 'COMPACTED_SNOW'])
    expect(await calculated({ ...takeoff, runwayCondition: { state } })).toEqual([
      state === 'SLIPPERY_WET' ? 3 : 4,
      [`The operator reports SNOWTAM 0016: 2/2/2, observed 20 min before; the request has ${state}.`],
    ]);
});

test('A condition better than the reported one gets a caution, an equal one does not', async () => {
  const cautionsOf = async (...given: Parameters<typeof ask>) =>
    ((await ask(...given)).body['cautions'] as Cautions).filter(({ code }) =>
      /OFFICIAL|NOT_READ|EXPIRED/.test(code),
    );
  const worse = {
    code: 'OFFICIAL_CONDITION_WORSE',
    severity: 'warning',
    text: 'The operator reports FICON 09/201: 3/3/5, observed 30 min before; the request has GOOD.',
    value: 5,
    limit: 3,
  };
  const unread = { code: 'SURFACE_REPORT_NOT_READ' };
  expect(await cautionsOf('22R', { state: 'GOOD' })).toMatchObject([worse, unread]);
  expect(await cautionsOf('22R', { state: 'MEDIUM' })).toMatchObject([unread]);
  // It applies until its NOTAM ends, a day after the observation, and afterwards as the last known report.
  const [code, expired] = ['OFFICIAL_CONDITION_WORSE', 'SURFACE_REPORT_EXPIRED'];
  const codesAt = async (time: string) =>
    (await cautionsOf('22R', { state: 'GOOD' }, time)).map((caution) => caution.code);
  expect(await codesAt('2026-09-17T11:59:00Z')).toEqual([code, 'SURFACE_REPORT_NOT_READ']);
  expect(await codesAt('2026-09-17T12:01:00Z')).toEqual([code, expired]);
  expect(await codesAt('2026-09-18T12:01:00Z')).toEqual([]);
});

test('No verdict is green when the operator reports a worse condition', async () => {
  const landing = async (state: string) => {
    const { body } = await ask('04L', { state });
    const { verdict, shown, limitsExceeded } = body['performance'] as Record<string, unknown>;
    const tones = shown as { tone: string };
    return [verdict, tones.tone, (limitsExceeded as { code: string }[]).map(({ code }) => code)];
  };
  expect(await landing('MEDIUM')).toEqual(['FITS', 'good', []]);
  expect(await landing('GOOD')).toEqual(['LIMIT_EXCEEDED', 'bad', ['OFFICIAL_CONDITION_WORSE']]);
  const { body } = await api.call('performanceAirport', {
    token: pilot.token,
    data: {
      aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
      airport: 'KJFK',
      runwayCondition: { state: 'WET' },
      weather: { windDirection: 30, windSpeed: 5, temperature: 2, qnh: 1013 },
      weight: { takeoffWeight: 60_000, landingWeight: 55_000 },
    },
  });
  const verdicts = (phase: string) =>
    Object.fromEntries(
      (body[phase] as { runway: string; verdict: string }[]).map((row) => [row.runway, row.verdict]),
    );
  for (const phase of ['takeoff', 'landing'])
    expect(verdicts(phase)).toMatchObject({
      '04R': 'FITS',
      '04L': 'LIMIT_EXCEEDED',
      '31L': 'LIMIT_EXCEEDED',
    });
  expect(body['closed']).toEqual(['13L', '31R']);
});

test('A runway with nil braking has no condition to calculate with', async () => {
  const refused = await ask('13L');
  expect(codeOf(refused)).toEqual([400, 'INVALID_INPUT']);
  expect(JSON.stringify(refused.body)).toContain('braking is nil');
  // Applies whatever the request says.
  for (const state of ['DRY', 'POOR'])
    expect(codeOf(await ask('13L', { state }))).toEqual([400, 'INVALID_INPUT']);
  const tableAt = async (at: string | null) => {
    const { body } = await api.call('performanceAirport', {
      token: pilot.token,
      data: {
        aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
        airport: 'KJFK',
        at,
        weather: { windDirection: 30, windSpeed: 12, temperature: 2, qnh: 1013 },
        weight: { takeoffWeight: 65_000, landingWeight: 60_000 },
      },
    });
    const rows = body['landing'] as { runway: string; reportedCondition: string | null }[];
    const reported = (wanted: string) => rows.find(({ runway }) => runway === wanted)?.reportedCondition;
    return [body['closed'], reported('22R'), reported('13R')];
  };
  const [fair, poor] = ['FICON 09/201: 3/3/5', 'FICON 09/203: 1/1/1'];
  const nil = ['13L', '31R'];
  expect(await tableAt(null)).toEqual([nil, fair, poor]);
  expect(await tableAt('2026-09-17T12:01:00Z')).toEqual([nil, `${fair}, expired`, `${poor}, expired`]);
  expect(await tableAt('2026-09-18T12:01:00Z')).toEqual([[], null, null]);
});

test('Rain after a report of snow or ice gets a caution, and a deposit without depth is calculated with an assumed one', async () => {
  const cautionsOf = async (...given: Parameters<typeof ask>) =>
    ((await ask(...given)).body['cautions'] as Cautions).filter(({ code }) => /CHANGED|DEPTH/.test(code));
  expect(await cautionsOf('13R')).toMatchObject([
    {
      code: 'SURFACE_MAY_HAVE_CHANGED',
      text: 'The surface may have changed since the operator reported FICON 09/203: 1/1/1: rain since (-RA).',
    },
  ]);
  expect(await cautionsOf('04R')).toEqual([]);
  expect(await cautionsOf('04R', { state: 'SLUSH' })).toMatchObject([
    { code: 'DEPTH_ASSUMED', text: 'The request has SLUSH without a depth; 4 mm were assumed.' },
  ]);
  expect(await cautionsOf('04R', { state: 'SLUSH', depth: 5 })).toEqual([]);
});
