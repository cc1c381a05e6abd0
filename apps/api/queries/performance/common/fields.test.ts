/**
 * Fields of `airport` and `fleetGet`, from their schemas: each affects a calculation, or is listed as having
 * no effect.
 */
import { expect, test } from 'vitest';
import { airportAnswer } from '#domain/airports/answer.ts';
import type { KnownAirport, RunwayExit, ServedRunwayEnd } from '#domain/airports/served.ts';
import { runwayAnswerSchema } from '#domain/airports/schema.ts';
import { defaultMacgPercent } from '#domain/airports/served.ts';
import { fleetIdentitySchema } from '#domain/fleet/row.ts';
import { airportUnderNotams } from '#domain/notam/airport.ts';
import { landingRunway } from '#domain/notam/landing-runway.ts';
import { parseNotamTexts } from '#domain/notam/parse.ts';
import { landingRequestSchema } from '#domain/performance/request.ts';
import { profile } from '#perf/fixtures/aircraft.ts';
import { all, b738 } from '#perf/fixtures/landing-calls.ts';
import { performLanding } from '#perf/wire/landing.ts';
import { drawingFacts } from '#drawing/scenes/landing.ts';
import { isRecord, schemaLeaves } from '#test/support/schema-leaves.ts';
import { inForceAnswer, runwayCautions, runwayFacts } from './landing.ts';

const now = new Date('2026-09-16T12:00:00Z');
const lda = (valueM: number) => ({ valueM, source: 'faa_nasr' as const });
const end: ServedRunwayEnd = {
  ident: '09',
  publishedIdent: '9',
  reciprocalIdent: '27',
  runway: '09/27',
  trueBearingDeg: 92,
  latitudeDeg: null,
  longitudeDeg: null,
  thresholdLatitudeDeg: null,
  thresholdLongitudeDeg: null,
  thresholdElevationFt: 200,
  displacedThresholdM: 100,
  lengthM: 2_600,
  widthM: 45,
  surface: 'paved',
  isLighted: true,
  isClosed: false,
  slopePercent: 0.3,
  slopeSource: 'published',
  distances: { tora: lda(2_600), toda: lda(2_600), asda: lda(2_600), lda: lda(2_500), asOf: null },
  flags: [],
  efpKind: 'custom',
  efpText: 'LEFT TURN',
  efpAccelerationAltitudeFt: null,
  efpTurn: null,
  macgPercent: defaultMacgPercent,
};
const exit: RunwayExit = {
  ident: '09',
  name: 'B',
  source: 'osm',
  side: 'left',
  distanceM: 1_600,
  angleDeg: 90,
};

interface Case {
  ident: string;
  known: KnownAirport;
  /** The text of a NOTAM of the aerodrome. */
  notam: string | null;
}
const caseOf = (
  ends: Partial<ServedRunwayEnd> = {},
  exits: Partial<RunwayExit> = {},
  notam: string | null = null,
): Case => {
  const own = { ...end, ...ends };
  return {
    ident: own.ident,
    notam,
    known: {
      airport: {
        icao: 'EDXA',
        formerIcaos: [],
        iata: null,
        name: 'Field',
        type: 'medium',
        latitudeDeg: 50,
        longitudeDeg: 8,
        elevationFt: 100,
        country: 'DE',
        municipality: null,
        source: 'ourairports',
        ends: [own],
        timeZone: null,
        magneticVariationDeg: 0,
        magneticModel: 'WMM2025',
        updatedAt: now,
      },
      exits: [{ ...exit, ident: own.ident, ...exits }],
      intersections: [],
      aliases: new Map(),
    },
  };
};

const ldaText = (metres: number) => `RWY 09 DECLARED DISTANCES CHANGED: LDA ${metres}M`;
const before = caseOf();
const underNotam = caseOf({}, {}, ldaText(2_200));
/** Single changes of an airport, each with the changed field. */
const changes: readonly (readonly [from: Case, to: Case])[] = [
  ...(
    [
      { ident: '10' },
      { trueBearingDeg: 130 },
      { lengthM: 2_900 },
      { widthM: 28 },
      { displacedThresholdM: 200 },
      { distances: { ...end.distances, lda: lda(2_300) } },
      { distances: { ...end.distances, lda: { valueM: 2_500, source: 'derived' } } },
      { slopePercent: -1.2 },
      { thresholdElevationFt: 3_000 },
      { isClosed: true },
      { efpKind: 'std' },
      { efpText: 'RIGHT TURN' },
      { macgPercent: 6 },
    ] as const
  ).map((change) => [before, caseOf(change)] as const),
  [before, caseOf({}, { name: 'C' })],
  [before, caseOf({}, { distanceM: 1_900 })],
  [before, caseOf({}, { angleDeg: 30 })],
  [before, underNotam],
  [underNotam, caseOf({}, {}, ldaText(2_000))],
  [underNotam, caseOf({}, {}, 'RWY 09 THR DISPLACED 400M')],
  [underNotam, caseOf({}, {}, 'RWY 09/27 CLSD')],
];

/** Runway fields for which performance has no input. */
const notInput = new Set([
  'publishedIdent',
  'reciprocal',
  'surface',
  'isLighted',
  'flags',
  'distancesAsOf',
  'slopeSource',
  'threshold.latitude',
  'threshold.longitude',
  'efp.accelerationAltitude',
  'efp.turn',
  'exits.*.side',
  'exits.*.source',
  // A calculation is refused with the same information.
  'notams.*.missingFeature',
  ...['tora', 'toda', 'asda'].flatMap((name) => [`${name}.value`, `${name}.source`, `notams.*.${name}`]),
  ...['id', 'name', 'tora', 'toda', 'asda', 'source'].map((name) => `intersections.*.${name}`),
]);

const request = landingRequestSchema.parse({
  requestType: 'LANDING',
  landingMode: 'inflight',
  units: { distance: 'meter' },
  aircraft: { file: b738 },
  airport: 'EDXA',
  runway: '09',
  weather: { windDirection: 60, windSpeed: 30 },
  weight: { landingWeight: 60_000 },
});

const numberedOf = ({ notam }: Case) => {
  const text = `A0001/26 NOTAMN\nQ) EDGG/QMRXX/IV/NBO/A/000/999/5000N00800E005\nA) EDXA B) 2609010000 C) 2612280000\nE) ${notam}\n\n`;
  return notam === null ? [] : parseNotamTexts(text).records.map((record) => ({ ...record, id: 1 }));
};

const answered = (each: Case) => {
  const runwayOf = (id: string) => landingRunway(each.known, numberedOf(each), id, now);
  const [plain, varied] = [runwayOf(each.ident), runwayOf(`${each.ident}.N1`)];
  return JSON.stringify(
    [plain, varied].map((runway) => {
      if (typeof runway === 'string') return runway;
      const input = { request, profile: profile(b738), runway: runwayFacts(runway), entitlements: all };
      const performed = performLanding(input);
      if (performed.kind !== 'answer') throw new Error(JSON.stringify(performed));
      const { landingStartM: displacedM, lengthM, closed } = runway.geometry;
      return [
        performed.answer,
        inForceAnswer(runway, request, all, 'lda'),
        runwayCautions(runway, request, 'lda', now),
        drawingFacts(input.profile, performed.request, performed.outcome, { displacedM, lengthM, closed }),
      ];
    }),
  );
};

const returnedRunway = (each: Case) => {
  const { known } = each;
  const notams = numberedOf(each);
  const states = airportUnderNotams(known.airport, notams, now);
  const { exits, intersections, airport } = known;
  return airportAnswer({ airport, exits, intersections, notams: states, hasNotams: true, now }).runways[0];
};

const valueAt = (value: unknown, [first, ...rest]: readonly string[]): unknown => {
  if (first === undefined) return value;
  if (first === '*') return Array.isArray(value) ? value.map((one) => valueAt(one, rest)) : null;
  return isRecord(value) ? valueAt(value[first], rest) : null;
};

test('Every runway field returned by airport changes a calculation, unless performance has no input for it', () => {
  const tried = changes.map(([from, to]) => ({
    pair: [returnedRunway(from), returnedRunway(to)],
    hasEffect: answered(from) !== answered(to),
  }));
  const isChanged = (leaf: string, [from, to]: readonly unknown[]) =>
    JSON.stringify(valueAt(from, leaf.split('.'))) !== JSON.stringify(valueAt(to, leaf.split('.')));
  const leaves = schemaLeaves(runwayAnswerSchema, 'output');
  expect(leaves.length).toBeGreaterThan(40);
  expect([...notInput].filter((leaf) => !leaves.includes(leaf))).toEqual([]);
  const ineffective = leaves
    .filter((leaf) => !notInput.has(leaf))
    .filter((leaf) => !tried.some(({ pair, hasEffect }) => hasEffect && isChanged(leaf, pair)));
  expect(ineffective).toEqual([]);
  expect(tried.flatMap(({ hasEffect }, i) => (hasEffect ? [] : [i]))).toEqual([]);
});

test('Every profile name returned by fleetGet is accepted by performance, or names no aircraft', () => {
  const keys = { file: 'file', registration: 'userRegistration' };
  const notInputOfFleet = [
    'id',
    'user_id',
    'basedOnProfile',
    'isBasedOnUserProfile',
    'revision',
    'updatedAt',
  ];
  expect(Object.keys(fleetIdentitySchema.shape).toSorted()).toEqual(
    [...Object.keys(keys), ...notInputOfFleet].toSorted(),
  );
  const accepted = schemaLeaves(landingRequestSchema, 'input');
  expect(Object.values(keys).filter((key) => !accepted.includes(`aircraft.${key}`))).toEqual([]);
});
