/**
 * Random weather, surface reports, NOTAM and plans, through every operation that calculates with them. A
 * sample by default; 1,500 and every named situation with `npm run test:deep`, or the number in
 * SITUATION_CASES.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseNotamTexts } from '#domain/notam/parse.ts';
import { presetOf } from '#domain/users/units.ts';
import { notamWrites } from '#store/postgres/notam/notam.ts';
import { metarWrites, tafWrites } from '#store/postgres/weather/reports.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { makers } from '#test/support/flights.ts';
import { endOf, flightOf, landings } from '#test/support/named-flights.ts';
import type { Named } from '#test/support/named-flights.ts';
import { takeoffs } from '#test/support/named-takeoffs.ts';
import { numberMark, randomFlight } from '#test/support/random-flights.ts';
import type { RandomEnd, RandomFlight, RandomWind } from '#test/support/random-flights.ts';
import { isDeep, sampled } from '#test/support/deep.ts';
import { briefingDocument } from './common/print-briefing.ts';

const numRuns = Number(process.env['SITUATION_CASES'] ?? (isDeep ? 1_500 : 2));
const seed = Number(process.env['SITUATION_SEED'] ?? 20_260_916);

type Fields = Record<string, unknown>;
interface Phase extends Fields {
  runway: string;
  at: string;
  weather: Fields & { windDirection: number | null; windSpeed: number };
  sources: Record<string, { source: string; text: string }>;
  runwayCondition: { state: string | null };
}
interface Limit {
  code: string;
  modes?: string[] | null;
}
interface Figures extends Fields {
  verdict: string;
  limits?: Record<'climb' | 'field', number>;
  shown: { text: string };
  lda?: number;
  rwycc?: number;
  maxTakeoffWeight?: number | null;
  limitsExceeded: Limit[];
  autobrakeLandingDist?: { autobrakeValue: string; factoredDistance: number; verdict: string }[];
}
type Use = 'landing' | 'takeoff';
interface Answer {
  status?: number;
  error?: string[] | string;
  cautions: { code: string; text: string }[];
  performance: Figures | null;
}

let api: TestApi;
let user: TestUser;
let devKey: string;
beforeAll(async () => {
  api = await testApi();
  devKey = await api.key({ weather: true });
  await importAirports(api.context, ['KJFK', 'KBOS']);
  user = await api.user();
  await api.grant(user, 'EFB_COMMERCIAL_Y');
});
afterAll(() => api.close());

let stored = 0;
/** Each flight gets newer reports than the previous one, and only its own NOTAM. */
const store = async (ends: readonly RandomEnd[]) => {
  const { clock, postgres } = api.context;
  const now = clock.now();
  const at = new Date(Date.parse('2026-09-16T11:40:00Z') + stored * 10).toISOString();
  const texts = ends.map(({ notams }) => notams).join('');
  const numbered = texts.replaceAll(numberMark, () => String(1_000 + ((stored += 1) % 9_000)));
  stored += 1;
  await postgres.transaction(async (tx) => {
    for (const { icao, metar, taf } of ends) {
      const of = { icao, source: 'AWC' } as const;
      await metarWrites(tx).store([{ ...of, observedAt: at, raw: metar }], now);
      await tafWrites(tx).store([{ ...of, issuedAt: at, validFrom: null, validTo: null, raw: taf }], now);
    }
    const { records, rejects } = parseNotamTexts(numbered, now);
    expect(rejects).toEqual([]);
    await notamWrites(tx).store(records, { source: 'random', now, isComplete: true });
  });
};

const call = async (query: string, data: Fields): Promise<Fields> => {
  const { status, body } = await api.call(query, { token: user.token, devKey, data });
  expect([query, status, body['error']]).toEqual([query, 200, undefined]);
  return body;
};
const calculate = async (data: Fields): Promise<Answer> => {
  const { status, body } = await api.call('performance', { token: user.token, data });
  return {
    ...(body as unknown as Answer),
    status,
    performance: (body['performance'] ?? null) as Figures | null,
  };
};

/** Verdicts from best to worst; a refusal and a calculation without a result rank below all of them. */
const ranks = ['FITS', 'MARGIN_NOT_MET', 'LIMIT_EXCEEDED', 'ABOVE_LDA', 'CANNOT_STOP'];
const rankOf = (verdict: string | null | undefined): number => {
  const rank = ranks.indexOf(verdict ?? '');
  return rank < 0 ? ranks.length : rank;
};
/** True if only the first verdict is shown in green. */
const isGreener = (one: string | null | undefined, other: string | null | undefined): boolean =>
  rankOf(one) === 0 && rankOf(other) > 0;
const factsOf = ({ cautions, performance }: Answer) => ({ cautions, ...performance, graphic: null });
const shortest = ({ performance }: Answer): number =>
  Math.min(Infinity, ...(performance?.autobrakeLandingDist ?? []).map((mode) => mode.factoredDistance));

/** No verdict is FITS with an exceeded limit or with less runway than required. */
const beside = ({ performance }: Answer): string[] => {
  if (!performance) return [];
  const { verdict, limitsExceeded, autobrakeLandingDist = [], lda = Infinity } = performance;
  const fits = autobrakeLandingDist.filter((mode) => mode.verdict === 'FITS');
  return [
    ...(verdict === 'FITS' && limitsExceeded.some(({ modes = null }) => modes === null)
      ? [`FITS beside ${limitsExceeded.map(({ code }) => code).join()}`]
      : []),
    ...fits.flatMap((mode) => [
      ...limitsExceeded
        .filter(({ modes = null }) => modes === null || modes.includes(mode.autobrakeValue))
        .map(({ code }) => `mode ${mode.autobrakeValue} FITS beside ${code}`),
      ...(mode.factoredDistance > lda ? [`mode ${mode.autobrakeValue} FITS beyond the LDA`] : []),
    ]),
  ];
};

/** True for a time to which the METAR applies, within an hour of it. */
const isObserved = (at: string): boolean => Date.parse(at) <= Date.parse('2026-09-16T12:40:00Z');

/** Compares the answer with what the generated texts state about the runway at the time of use. */
const againstTexts = (
  { said, brakingCode, isClosedBySnow }: RandomEnd,
  { at }: Phase,
  answer: Answer,
  use: Use,
): string[] => {
  const { performance } = answer;
  if (!performance) return [];
  const inForce = said.filter(({ from, to }) => from <= at && at < to);
  const reports = inForce
    .filter(({ code }) => code !== undefined)
    .toSorted(
      (a, b) => (b.observedAt ?? '').localeCompare(a.observedAt ?? '') || (a.code ?? 0) - (b.code ?? 0),
    );
  const code = reports[0]?.code ?? null;
  const ldas = inForce.flatMap(({ ldaM }) => ldaM ?? []);
  const needed = shortest(answer);
  return [
    ...(inForce.some(({ closes }) => closes) ? ['figures for a runway closed by NOTAM'] : []),
    ...(code === 0 ? ['figures where braking is nil'] : []),
    ...(isClosedBySnow && isObserved(at) && code === null ? ['figures for a runway closed by snow'] : []),
    ...(use === 'landing' && code !== null && (performance.rwycc ?? 6) > code
      ? [`code ${performance.rwycc}, reported ${code}`]
      : []),
    ...(use === 'landing' && brakingCode !== null && isObserved(at) && (performance.rwycc ?? 6) > brakingCode
      ? [`code ${performance.rwycc}, braking action ${brakingCode} in the METAR`]
      : []),
    ...(use === 'landing' && performance.verdict === 'FITS' && ldas.some((ldaM) => needed > ldaM)
      ? [`FITS with ${needed} m, LDA by NOTAM ${Math.min(...ldas)} m`]
      : []),
  ];
};

/** The table row of the runway for the same situation. */
const rowOf = async (phase: Phase, name: Use, ident: string) => {
  const { requestType: _, landingMode: __, runway: ___, configuration, runwayCondition, ...shared } = phase;
  const { state } = runwayCondition;
  // The table takes a surface; these surfaces have the same code as the in-flight condition.
  const surface = { GOOD: 'WET', MEDIUM: 'SLIPPERY_WET', POOR: 'ICE' }[state ?? ''] ?? state;
  const data = {
    ...shared,
    runwayCondition: { ...runwayCondition, state: surface },
    configuration: { [name]: configuration },
  };
  const { status, body } = await api.call('performanceAirport', { token: user.token, data });
  if (status !== 200) return { status, row: undefined };
  const rows = body[name] as (Fields & { runway: string; verdict: string | null })[];
  return { status, row: rows.find(({ runway }) => runway.split('.')[0] === ident) };
};

const windsThatMayBlow = ({ winds }: RandomEnd, { at }: Phase): RandomWind[] =>
  isObserved(at) ? winds.observed : winds.forecast;

interface Asked {
  found: string[];
  phases: Record<Use, Phase>;
  answers: Record<Use, Answer>;
}

/** Contradictions in the answers for takeoff and landing of a flight, or for only one of them. */
const contradictionsIn = async (flight: RandomFlight, only?: Use): Promise<Asked> => {
  const { origin, destination, surface, hasSection, maker, out } = flight;
  await store([origin, destination]);
  const given = {
    requestId: String(184_700_000 + stored),
    metar: '',
    taf: '',
    tlr: hasSection ? { surface_condition: surface } : null,
    runway: destination.runway,
    originRunway: origin.runway,
    registration: 'N0SYN',
    out,
  };
  const body = await call('ofpImport', makers[maker]?.(given) as unknown as Fields);
  const imported = body['ofp'] as Fields;
  const { ofpId } = imported;
  const got = (await call('ofpGet', { ofpId, view: 'summary' }))['ofp'] as Fields;
  const brief = await call('briefing', { ofpId });
  const defaultsOf = (ofp: unknown) =>
    (ofp as { performanceDefaults: Record<Use, Phase> }).performanceDefaults;
  const defaults = defaultsOf(imported);
  expect(defaultsOf(got)).toEqual(defaults);
  expect(defaultsOf(brief['ofp'])).toEqual(defaults);
  const document = briefingDocument(brief as never, presetOf('METRIC'), api.context.clock.now());
  const warned = (body['warnings'] as { code: string; path: string }[]) ?? [];
  const found: string[] = [];
  const answers: Partial<Record<Use, Answer>> = {};
  const say = (is: boolean, text: string) => (is ? found.push(text) : 0);
  for (const [use, end] of [
    ['landing', destination],
    ['takeoff', origin],
  ] as const) {
    if (only !== undefined && use !== only) continue;
    const phase = defaults[use];
    const briefed = (brief[use] as { answer: Answer | null }).answer;
    const alone = await calculate(phase);
    answers[use] = alone;
    const { performance } = alone;
    const verdict = performance?.verdict;
    const named = (text: string) => `${use}: ${text}`;
    if (briefed) expect(factsOf(briefed)).toEqual(factsOf(alone));
    say(
      (briefed === null) !== (alone.status !== 200),
      named(`briefing ${briefed?.performance?.verdict}, performance ${alone.status}`),
    );
    found.push(...[...beside(alone), ...againstTexts(end, phase, alone, use)].map(named));
    const printed = document.performance[use === 'landing' ? 1 : 0];
    say(
      performance !== null && !printed?.heading.endsWith(`: ${performance.shown.text}`),
      named(`PDF ${printed?.heading}, answer ${performance?.shown.text}`),
    );
    const lines = new Set(printed?.facts.map(({ value }) => value));
    for (const { code, text } of (performance && briefed?.cautions) ?? [])
      say(!lines.has(text), named(`the PDF leaves ${code} out`));
    say(performance === null && printed?.problem === null, named('the PDF has figures, the answer has none'));
    const { status, row } = await rowOf(phase, use, end.runway);
    say(
      status === 200 && isGreener(row?.verdict, verdict),
      named(`table ${row?.verdict}, performance ${verdict}`),
    );
    say(
      status === 200 && isGreener(verdict, row?.verdict),
      named(`performance ${verdict}, table ${row?.verdict}`),
    );
    const best = use === 'landing' ? shortest(alone) : performance?.maxTakeoffWeight;
    const ofRow = use === 'landing' ? row?.['distance'] : row?.['maxTakeoffWeight'];
    say(
      performance !== null && row !== undefined && best !== ofRow,
      named(`performance ${best}, table ${String(ofRow)}`),
    );
    const plain = await calculate({ ...phase, runway: end.runway });
    say(isGreener(plain.performance?.verdict, verdict), named(`plain runway FITS, with NOTAM ${verdict}`));
    found.push(
      ...[...beside(plain), ...againstTexts(end, phase, plain, use)].map((text) =>
        named(`plain runway: ${text}`),
      ),
    );
    const { runwayCondition: _, sources: __, ...silent } = phase;
    const ofState = (state: string) => calculate({ ...phase, runwayCondition: { state, depth: 0 } });
    const dry = await ofState('DRY');
    const reported = await calculate(silent);
    const isSame = reported.cautions?.some(({ code }) => code === 'ASSUMED') ?? false;
    say(
      !isSame && isGreener(dry.performance?.verdict, reported.performance?.verdict),
      named('DRY FITS, as the operator reports it does not'),
    );
    found.push(...beside(dry).map((text) => named(`DRY: ${text}`)));
    found.push(
      ...againstTexts({ ...end, brakingCode: null, isClosedBySnow: false }, phase, reported, use).map(
        (text) => named(`silent request: ${text}`),
      ),
    );
    if (
      end.said.some(
        ({ isSlipperyWhenWet, from, to }) => isSlipperyWhenWet && from <= phase.at && phase.at < to,
      )
    ) {
      const wet = await ofState(use === 'landing' ? 'GOOD' : 'WET');
      say(wet.performance?.verdict === 'FITS', named('FITS on a wet runway that is slippery when wet'));
      say(phase.runwayCondition.state === 'WET', named('wet, on a runway that is slippery when wet'));
    }
    const isWarned = (code: string) =>
      warned.some(
        (one) => one.code === code && one.path.startsWith(use === 'landing' ? 'destination' : 'origin'),
      );
    say(
      isWarned('RUNWAY_CLOSED') && performance !== null,
      named('the import says closed, there are figures'),
    );
    // An import reports nothing about a flight that is over.
    const isAhead = Date.parse(phase.at) > api.context.clock.now().getTime();
    const isBeyond =
      alone.cautions?.some(({ code }) => /^(?:TAIL|HEAD|CROSS)WIND_LIMIT$/.test(code)) ?? false;
    say(
      performance !== null && isAhead && isWarned('FORECAST_WIND_LIMIT') !== isBeyond,
      named(`wind ${isBeyond ? 'beyond' : 'within'} a limit, the import says otherwise`),
    );
    for (const wind of windsThatMayBlow(end, phase)) {
      const other = await calculate({
        ...phase,
        weather: {
          ...phase.weather,
          windDirection: wind.direction,
          windSpeed: wind.kt,
          gust: wind.gust,
          headwind: null,
          vrefAdd: null,
        },
      });
      say(isGreener(verdict, other.performance?.verdict), named(`FITS, not in ${wind.text}`));
      say(
        use === 'landing' &&
          performance !== null &&
          other.performance !== null &&
          shortest(alone) < shortest(other),
        named(`shorter than in ${wind.text}`),
      );
      say(
        // The table may choose another flap, which carries more weight.
        use === 'takeoff' &&
          performance?.['flap'] === other.performance?.['flap'] &&
          (performance?.maxTakeoffWeight ?? 0) > (other.performance?.maxTakeoffWeight ?? Infinity),
        named(`heavier than in ${wind.text}`),
      );
    }
  }
  return { found, phases: defaults, answers: answers as Asked['answers'] };
};

test(
  'For random weather, surface reports, NOTAM and plans no operation has a better verdict than another one, or than any possible wind, limit, nil report or NOTAM in force allows',
  async () => {
    const failures: Fields[] = [];
    for (const [i, flight] of fc.sample(randomFlight, { numRuns, seed }).entries()) {
      if (i % 100 === 0) {
        user = await api.user();
        await api.grant(user, 'EFB_COMMERCIAL_Y');
      }
      const { found } = await contradictionsIn(flight);
      if (found.length > 0) failures.push({ found, ...flight });
    }
    expect(failures.slice(0, 3), `of ${failures.length} flights`).toEqual([]);
  },
  60_000 + numRuns * 3_000,
);

const expectAsNamed = ({ found, phases, answers }: Asked, use: Use, named: Named) => {
  expect(found).toEqual([]);
  const { state, weather, verdict, text = '', codes = [], figures = {} } = named;
  const phase = phases[use];
  expect(phase.sources['runwayCondition']?.text).toContain(text);
  expect({ ...phase.runwayCondition, weather: phase.weather }).toMatchObject({
    ...(state === undefined ? {} : { state }),
    ...(weather === undefined ? {} : { weather }),
  });
  const { cautions, performance } = answers[use];
  if (verdict !== undefined) expect(performance?.verdict ?? null).toBe(verdict);
  expect(performance ?? {}).toMatchObject(figures);
  expect(cautions?.map(({ code }) => code) ?? []).toEqual(expect.arrayContaining([...codes]));
};

test.each(sampled(landings, 8))('All operations agree on a landing with %s', async (_, named) => {
  const ends = { origin: endOf('KBOS', '04R'), destination: endOf('KJFK', '04L', named) };
  expectAsNamed(await contradictionsIn(flightOf(ends, named), 'landing'), 'landing', named);
});

test.each(sampled(takeoffs, 8))('All operations agree on a takeoff with %s', async (_, named) => {
  const ends = { origin: endOf('KBOS', named.runway ?? '04R', named), destination: endOf('KJFK', '04L') };
  const asked = await contradictionsIn(flightOf(ends, named), 'takeoff');
  expectAsNamed(asked, 'takeoff', named);
  if (!named.limits) return;
  const { performance } = await calculate({ ...asked.phases.takeoff, configuration: { flap: '5' } });
  for (const [name, kg] of Object.entries(named.limits))
    expect((performance?.limits?.[name as 'climb'] ?? 0) / kg, name).toBeCloseTo(1, 1.3);
});
