import { afterAll, beforeAll, expect, test } from 'vitest';
import { notamWrites } from '#store/postgres/notam/notam.ts';
import { tafWrites } from '#store/postgres/weather/reports.ts';
import { parseNotamTexts } from '#domain/notam/parse.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { makers } from '#test/support/flights.ts';
import { planDocument } from '#test/support/ofp.ts';

let api: TestApi;
let pilot: TestUser;

beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
  await api.grant(pilot, 'EFB_COMMERCIAL_Y');
  await importAirports(api.context, ['KJFK', 'KBOS']);
  const ficon =
    '!JFK 09/301 JFK RWY 22L FICON 3/3/3 100 PCT 1/4IN WET SN OBS AT 2609161130. 2609161130-2609171200\n';
  const now = api.context.clock.now();
  const { records } = parseNotamTexts(ficon, now);
  await api.context.postgres.transaction((tx) =>
    notamWrites(tx).store(records, { source: 'ficon', now, isComplete: false }),
  );
});
afterAll(() => api.close());

interface Landing extends Record<string, unknown> {
  at: string;
}

const rain = 'KJFK 161151Z 21012KT 10SM -RA 18/12 A3002';
const imported = async (runway: string, requestId: string, metar = rain) => {
  const data = makers[0]?.({ requestId, metar, taf: '', tlr: {}, runway, registration: 'N0SYN' });
  const { status, body } = await api.call('ofpImport', { token: pilot.token, data });
  expect([status, body['error']]).toEqual([200, undefined]);
  return body;
};
const landingOn = async (...given: Parameters<typeof imported>): Promise<Landing> =>
  ((await imported(...given))['ofp'] as { performanceDefaults: { landing: Landing } }).performanceDefaults
    .landing;
const land = (data: unknown) => api.call('performance', { token: pilot.token, data });

test('The defaults of a plan use the operator’s runway report, as performance does, and get no caution', async () => {
  const landing = await landingOn('22L', '184200001');
  const observedAt = '2026-09-16T11:30:00.000Z';
  expect(landing).toMatchObject({
    runwayCondition: { state: 'MEDIUM' },
    sources: {
      runwayCondition: {
        source: 'operator',
        at: observedAt,
        text: 'FICON 09/301: 3/3/3; rain since (-RA)',
        ageMinutes: Math.floor((Date.parse(landing.at) - Date.parse(observedAt)) / 60_000),
      },
    },
  });
  const pasted = await land(landing);
  const { runwayCondition: _, sources: __, ...rest } = landing;
  const byPerformance = await land(rest);
  expect([pasted.status, byPerformance.status]).toEqual([200, 200]);
  const modesOf = ({ body }: typeof pasted) =>
    (body['performance'] as { autobrakeLandingDist: unknown[] }).autobrakeLandingDist;
  expect(modesOf(pasted)).toEqual(modesOf(byPerformance));
  expect(modesOf(pasted).length).toBeGreaterThan(0);
  expect(JSON.stringify(pasted.body['cautions'])).not.toContain('OFFICIAL_CONDITION');
});

test('Another runway of the airport keeps the plan’s own values', async () => {
  expect(await landingOn('04L', '184200002')).toMatchObject({
    sources: { runwayCondition: { source: 'reported', text: 'METAR of the plan: -RA' } },
  });
});

test('The defaults of a plan use a METAR state under a neighbouring designator, or one that may apply to any runway', async () => {
  const metar = (groups: string) => `KJFK 161151Z 21012KT 10SM M05/M08 A3002 ${groups}`;
  for (const [i, [runway, groups, state]] of (
    [
      ['13L', 'R14L/790120', 'POOR'],
      ['31R', 'R14L/790120', 'POOR'],
      ['13R', 'R14L/790120', 'DRY'],
      ['13R', 'R64/790120', 'POOR'],
      ['13L', 'R08/790120', 'POOR'],
      ['13L', 'R08/790120 R13L/CLRD70', 'DRY'],
    ] as const
  ).entries()) {
    const { runwayCondition } = await landingOn(runway, `18420010${i}`, metar(groups));
    expect([runway, groups, runwayCondition]).toMatchObject([runway, groups, { state }]);
  }
});

test('A stored forecast warns only of the time it was issued for, not of the same day a month later', async () => {
  const warned = async (requestId: string, issued: '2026-08' | '2026-09') => {
    await api.context.postgres.transaction((tx) =>
      tafWrites(tx).store(
        [
          {
            icao: 'KJFK',
            issuedAt: `${issued}-16T11:20:00.000Z`,
            validFrom: `${issued}-16T12:00:00.000Z`,
            validTo: `${issued}-17T18:00:00.000Z`,
            raw: 'TAF KJFK 161120Z 1612/1718 21012KT 3SM RA OVC020',
            source: 'AWC',
          },
        ],
        api.context.clock.now(),
      ),
    );
    const { warnings } = await imported('04L', requestId);
    return (warnings as { message: string }[]).map(({ message }) => message).join(' ');
  };
  expect(await warned('184200003', '2026-08')).not.toContain('TAF at this time: RA, runway condition code 5');
  expect(await warned('184200004', '2026-09')).toContain('TAF at this time: RA, runway condition code 5');
});

test('A plan with a type without a profile is reported', async () => {
  const aircraft = { icao: 'C172', name: '172', engines: '', registration: 'N0CES' };
  const document = planDocument({ requestId: '184200099', aircraft });
  const { body } = await api.call('ofpImport', { token: pilot.token, data: { source: 'json', document } });
  expect(body['warnings']).toContainEqual(expect.objectContaining({ code: 'AIRCRAFT_UNKNOWN' }));
});
