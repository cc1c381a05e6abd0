/**
 * Runway reports under designators missing from the airport data, in every query that needs a runway
 * condition.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseNotamTexts } from '#domain/notam/parse.ts';
import { notamWrites } from '#store/postgres/notam/notam.ts';
import { metarWrites } from '#store/postgres/weather/reports.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at as fieldAt } from '#test/support/answers.ts';
import { importAirports } from '#test/support/airports.ts';

let api: TestApi;
let pilot: TestUser;

const ficon =
  '!JFK 09/301 JFK RWY 05L FICON 1/1/1 100 PCT ICE OBS AT 2609161130. 2609161130-2609171200\n' +
  '!BOS 09/302 BOS RWY 18 FICON 2/2/2 100 PCT 1/4IN SLUSH OBS AT 2609161130. 2609161130-2609171200\n' +
  '!BOS 09/303 BOS RWY 09 FICON 5/5/5 100 PCT WET OBS AT 2609161130. 2609161130-2609171200\n';
const metars = {
  KJFK: 'METAR KJFK 161151Z 03012KT 10SM OVC030 M02/M05 A3002 R63/490342 R45/790120',
  KBOS: 'METAR KBOS 161151Z 03012KT 10SM OVC030 M02/M05 A3002 R18/490120 R04R/CLRD70',
};

beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
  await api.grant(pilot, 'EFB_PRO_M');
  await importAirports(api.context, ['KJFK', 'KBOS']);
  const now = api.context.clock.now();
  const { records } = parseNotamTexts(ficon, now);
  await api.context.postgres.transaction(async (tx) => {
    await notamWrites(tx).store(records, { source: 'fixture', now, isComplete: true });
    const stored = Object.entries(metars).map(([icao, raw]) => ({ icao, raw, source: 'AWC' as const }));
    await metarWrites(tx).store(
      stored.map((metar) => ({ ...metar, observedAt: '2026-09-16T11:51:00.000Z' })),
      now,
    );
  });
});
afterAll(() => api.close());

const blocksOf = async (icao: string, ...runways: string[]) => {
  const answer = await api.call('weather', { token: pilot.token, data: { icao } });
  const shown = runways.map((runway) => {
    const block = fieldAt(answer, 'metar', 'metar2SVC', runway, 'situation') as {
      rwycc: number;
      sources: { runwayCondition: { text: string } };
    };
    return `${runway} ${block.rwycc} ${block.sources.runwayCondition.text}`;
  });
  return { shown, decoded: fieldAt(answer, 'metar', 'decoded') as string };
};

const common = {
  aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
  weather: { windDirection: 30, windSpeed: 8, temperature: -2, qnh: 1013 },
};
const landing = async (airport: string, runway: string) => {
  const { body } = await api.call('performance', {
    token: pilot.token,
    data: {
      ...common,
      requestType: 'LANDING',
      landingMode: 'inflight',
      airport,
      runway,
      weight: { landingWeight: 55_000 },
    },
  });
  const { rwycc } = body['performance'] as { rwycc: number };
  const cautions = body['cautions'] as { code: string; text: string }[];
  return [
    rwycc,
    ...cautions.filter(({ code }) => code === 'SURFACE_REPORT_NOT_READ').map(({ text }) => text),
  ];
};
const table = async (airport: string) => {
  const { body } = await api.call('performanceAirport', {
    token: pilot.token,
    data: { ...common, airport, weight: { takeoffWeight: 60_000, landingWeight: 55_000 } },
  });
  const rows = body['landing'] as { runway: string; reportedCondition: string | null }[];
  return Object.fromEntries(rows.map((row) => [row.runway, row.reportedCondition]));
};

test('A report under a neighbouring designator applies to the renamed runway in every query', async () => {
  const { shown, decoded } = await blocksOf('KJFK', '04l', '22r', '13r', '13l');
  expect(shown).toEqual([
    '04l 1 FICON 09/301 of runway 05L: 1/1/1',
    '22r 1 FICON 09/301 of runway 05L: 1/1/1',
    // R63 means 13R, whether or not there is a 13L.
    '13r 5 METAR: runway state',
    '13l 6 METAR: nothing that wets a runway',
  ]);
  expect(decoded).toContain('Not decoded: R45/790120');
  expect(await landing('KJFK', '22R')).toEqual([1]);
  expect(await landing('KJFK', '04R')).toEqual([6]);
  expect(await table('KJFK')).toMatchObject({
    '04L': 'FICON 09/301 of runway 05L: 1/1/1',
    '22R': 'FICON 09/301 of runway 05L: 1/1/1',
    '04R': null,
  });
});

test('A report that may be for any runway applies to all runways without a report of their own, and is marked to be read', async () => {
  const { shown, decoded } = await blocksOf('KBOS', '04r', '09', '27');
  expect(shown).toEqual([
    '04r 2 FICON 09/302 of runway 18: 2/2/2',
    // The METAR is later, and the state group of a runway unknown to the airport data applies here, too.
    '09 1 METAR: friction coefficient 0.20',
    '27 1 METAR: friction coefficient 0.20',
  ]);
  expect(decoded).toContain('Not decoded: R18/490120');
  const text =
    'Read NOTAM 09/302 on the runway surface: RWY 18 FICON 2/2/2 100 PCT 1/4IN SLUSH OBS AT 2609161130, but the airport has no certain runway 18.';
  expect(await landing('KBOS', '04R')).toEqual([2, text]);
  expect(await landing('KBOS', '09')).toEqual([5, text]);
  expect(await table('KBOS')).toMatchObject({
    '04R': 'FICON 09/302 of runway 18: 2/2/2',
    '09': 'FICON 09/303: 5/5/5',
  });
});
