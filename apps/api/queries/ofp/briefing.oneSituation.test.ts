/** The same runway at the same time, through every operation that calculates for it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { presetOf } from '#domain/users/units.ts';
import { metarWrites, tafWrites } from '#store/postgres/weather/reports.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { makers } from '#test/support/flights.ts';
import type { TlrConditions } from '#test/support/flights.ts';
import { briefingDocument } from './common/print-briefing.ts';

let api: TestApi;
let user: TestUser;
let devKey: string;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  devKey = await api.key({ weather: true });
  await importAirports(api.context, ['KJFK', 'KBOS']);
  await api.grant(user, 'EFB_COMMERCIAL_Y');
});
afterAll(() => api.close());

type Fields = Record<string, unknown>;
interface Phase extends Fields {
  weather: { windDirection: number | null; windSpeed: number; headwind?: number; temperature: number };
  sources: Record<'wind' | 'temperature' | 'qnh' | 'runwayCondition', { source: string; text: string }>;
}

let requestId = 184_600_000;
let seconds = 0;
/** Each situation gets newer reports than the previous one. */
const store = (metar: string, taf: string) => {
  seconds += 1;
  const second = new Date(Date.parse('2026-09-16T11:40:00Z') + seconds * 1_000).toISOString();
  const stored = { icao: 'KJFK', source: 'AWC' } as const;
  return api.context.postgres.transaction(async (tx) => {
    const now = api.context.clock.now();
    await metarWrites(tx).store([{ ...stored, observedAt: second, raw: metar }], now);
    await tafWrites(tx).store(
      [{ ...stored, issuedAt: second, validFrom: null, validTo: null, raw: taf }],
      now,
    );
  });
};

const call = async (query: string, data: Fields): Promise<Fields> => {
  const { status, body } = await api.call(query, { token: user.token, devKey, data });
  expect([query, status, body['error']]).toEqual([query, 200, undefined]);
  return body;
};

interface Answer {
  calculationPossible: boolean;
  cautions: { code: string; severity: string; text: string }[];
  performance: Fields & { verdict: string; autobrakeLandingDist: { factoredDistance: number }[] };
}

/** Within the hour of the METAR, and hours after it. */
const outs = { soon: new Date('2026-09-16T11:00:00Z'), later: new Date('2026-09-16T14:00:00Z') };

const asked = async (metar: string, taf: string, out: Date, tlr: TlrConditions | null = {}) => {
  await store(metar, taf);
  requestId += 1;
  const given = {
    requestId: String(requestId),
    metar: '',
    taf: '',
    tlr,
    runway: '04L',
    registration: 'N0SYN',
    out,
  };
  const imported = (await call('ofpImport', makers[0]?.(given) as unknown as Fields))['ofp'] as Fields;
  const { ofpId } = imported;
  const got = (await call('ofpGet', { ofpId, view: 'summary' }))['ofp'] as Fields;
  const brief = await call('briefing', { ofpId });
  const [ofImport, ofGet, ofBriefing] = [imported, got, brief['ofp'] as Fields].map(
    (ofp) => ofp['performanceDefaults'] as { landing: Phase; takeoff: Phase },
  );
  if (!ofImport) throw new Error('no defaults');
  expect(ofGet).toEqual(ofImport);
  expect(ofBriefing).toEqual(ofImport);
  const { landing } = ofImport;
  const alone = (await call('performance', landing)) as unknown as Answer;
  const briefed = (brief['landing'] as { answer: Answer }).answer;
  const facts = ({ cautions, performance }: Answer) => [cautions, { ...performance, graphic: null }];
  expect(facts(briefed)).toEqual(facts(alone));
  const units = presetOf('METRIC');
  const document = briefingDocument(brief as never, units, api.context.clock.now());
  return { landing, alone, document };
};

const taf = (groups: string) => `TAF KJFK 161120Z 1612/1718 ${groups}`;
const here = '9999 SCT030';
const fine = 'METAR KJFK 161140Z 04014KT 9999 SCT030 12/08 Q1021';

describe('the same situation in every operation', () => {
  test('A tailwind in a TEMPO group has the same effect in import, get, performance, table, briefing and PDF', async () => {
    const { landing, alone, document } = await asked(
      fine,
      taf(`04014KT ${here} TEMPO 1614/1617 22012KT`),
      outs.later,
    );
    expect(landing.weather).toMatchObject({ windDirection: 220, windSpeed: 12 });
    expect(landing.sources.wind).toMatchObject({ source: 'forecast', text: 'TAF at this time, TEMPO' });
    const { weather, sources, runwayCondition, units, aircraft, at, weight } = landing as Phase & {
      runwayCondition: Fields;
    };
    const table = await call('performanceAirport', {
      weather,
      sources,
      runwayCondition,
      units,
      aircraft,
      at,
      weight,
      airport: 'KJFK',
    });
    const row = (table['landing'] as (Fields & { runway: string })[]).find(({ runway }) => runway === '04L');
    const best = Math.min(...alone.performance.autobrakeLandingDist.map((mode) => mode.factoredDistance));
    expect([row?.['verdict'], row?.['distance']]).toEqual([alone.performance.verdict, best]);
    const printed = document.performance[1];
    expect(printed?.facts.find(({ name }) => name === 'Weather')?.value).toContain('220');
    expect(printed?.facts.find(({ name }) => name === 'From')?.value).toContain('TAF at this time, TEMPO');
  });

  test('A tailwind component from another wind counts on the planned runway, and helps no runway of the table', async () => {
    const { landing, alone } = await asked(fine, taf(`13025KT ${here} TEMPO 1614/1617 22010KT`), outs.later);
    expect(landing.weather).toMatchObject({ windDirection: 130, windSpeed: 25 });
    expect(landing.weather.headwind).toBeLessThan(-9.8);
    const { weather, sources, runwayCondition, units, aircraft, at, weight } = landing as Phase & {
      runwayCondition: Fields;
    };
    const row = async (more: Fields, ident: string) => {
      const data = { sources, runwayCondition, units, aircraft, at, weight, airport: 'KJFK', ...more };
      const { landing: rows } = (await call('performanceAirport', data)) as {
        landing: (Fields & { runway: string })[];
      };
      return rows.find(({ runway }) => runway === ident) as unknown as { distance: number };
    };
    const best = Math.min(...alone.performance.autobrakeLandingDist.map((mode) => mode.factoredDistance));
    expect((await row({ weather }, '04L')).distance).toBe(best);
    const { headwind: _, ...plain } = weather;
    for (const ident of ['13L', '31R', '22R'])
      expect((await row({ weather }, ident)).distance).toBeGreaterThanOrEqual(
        (await row({ weather: plain }, ident)).distance,
      );
  });

  test('More than an hour after the METAR the temperature comes from TX of the TAF, and a METAR still in use is marked as old', async () => {
    const warm = await asked(fine, taf(`04014KT ${here} TX34/1615Z TN18/1709Z`), outs.later);
    expect(warm.landing.weather.temperature).toBe(34);
    expect(warm.alone.cautions.map(({ code }) => code)).not.toContain('WEATHER_OLD');
    const none = 'TAF KJFK 161120Z NIL';
    const old = await asked(fine, none, outs.later, null);
    expect(old.landing.sources.wind.source).toBe('reported');
    const caution = old.alone.cautions.find(({ code }) => code === 'WEATHER_OLD');
    expect(caution).toMatchObject({ severity: 'warning', limit: 90, unit: 'min' });
    expect(caution?.text).toContain('wind');
    expect(old.document.performance[1]?.facts.map(({ value }) => value)).toContain(caution?.text);
    const sent = { ...old.landing, at: '2026-09-16T13:00:00Z' };
    expect(
      ((await call('performance', sent)) as unknown as Answer).cautions.map(({ code }) => code),
    ).not.toContain('WEATHER_OLD');
  });
});
