/**
 * Fields shared between queries, from the schemas: those returned by other queries are accepted, and accepted
 * ones have an effect.
 */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { performanceDefaultsSchema } from '#domain/ofp/performance-defaults.ts';
import { landingRequestSchema } from '#domain/performance/request.ts';
import { reportedSituationSchema } from '#domain/performance/situation/reported.ts';
import { isRecord, schemaLeaves } from '#test/support/schema-leaves.ts';
import { profile } from '../fixtures/aircraft.ts';
import { a320, b738, metres, run } from '../fixtures/landing-calls.ts';
import type { Data } from '../fixtures/landing-calls.ts';
import { formData } from './aircraft.ts';

const taken = schemaLeaves(landingRequestSchema, 'input');

const setAt = (data: Data, [first = '', ...rest]: readonly string[], value: unknown): Data => ({
  ...data,
  [first]: rest.length === 0 ? value : setAt(isRecord(data[first]) ? data[first] : {}, rest, value),
});

interface Option {
  value: string;
  paramName: string;
}
const optionsOf = (value: unknown): Option[] => {
  if (Array.isArray(value)) return value.flatMap(optionsOf);
  if (!isRecord(value)) return [];
  return typeof value['paramName'] === 'string'
    ? [value as unknown as Option]
    : Object.values(value).flatMap(optionsOf);
};
const ofLanding = (id: string): Option[] => optionsOf(formData(profile(id))['landing']);

/** Fields that select aircraft, runway and time, which are looked up before a calculation. */
const found = ['requestType', 'aircraft.file', 'aircraft.userRegistration', 'aircraft.virtualAirline'];
const foundByPlace = ['airport', 'runway', 'at'];

const source = { source: 'reported', at: '2026-11-05T13:50:00Z', text: 'METAR' };
const sourced = (part: string) => [
  [`sources.${part}.source`, ['plan', 'assumed']],
  [`sources.${part}.at`, ['2026-11-05T14:20:00Z']],
  [`sources.${part}.text`, ['SPECI']],
  [`sources.${part}.ageMinutes`, [300]],
];
/** Values to try for fields that the aircraft's form data do not list. */
const values: ReadonlyMap<string, readonly unknown[]> = new Map([
  ['landingMode', ['dispatch', 'inflight']],
  ['units.weight', ['lb']],
  ['units.wind', ['ms']],
  ['units.altitude', ['meter']],
  ['units.distance', ['feet']],
  ['units.depth', ['inches']],
  ['units.pressure', ['inhg']],
  ['weather.windDirection', [90, null]],
  ['weather.windSpeed', [3]],
  ['weather.gust', [30]],
  ['weather.vrefAdd', [18]],
  ['weather.headwind', [-8]],
  ['weather.maxHeadwind', [60]],
  ['weather.maxTailwind', [20]],
  ['weather.temperature', [35]],
  ['weather.qnh', [960]],
  ['runwayCondition.depth', [6]],
  ['configuration.vrefAdditive', [10]],
  ['configuration.missedApproachClimbGradient', [7]],
  ['configuration.landingTechnique', ['AUTO_LDG']],
  ['configuration.autothrust', [false]],
  ['configuration.airDistance', ['7S']],
  ['configuration.approachAngle', [5]],
  ['weight.landingWeight', [50_000]],
  ['weight.maxLandingWeight', [58_000]],
  ['notam.shortenStart', [300]],
  ['notam.shortenEnd', [300]],
  ['assess', [true]],
  ...(['wind', 'temperature', 'qnh', 'runwayCondition'].flatMap(sourced) as [string, unknown[]][]),
  ['sources.aircraft.text', ['flaps']],
  ['sources.configuration.text', ['flaps']],
]);

const common: Data = {
  ...metres,
  weather: { windDirection: 40, windSpeed: 12, gust: 16, temperature: 20, qnh: 1005 },
  sources: { wind: source, temperature: source, qnh: source, runwayCondition: source },
  weight: { landingWeight: 60_000 },
};
const water = { runwayCondition: { state: 'STANDING_WATER', depth: 5 } };
const bases: readonly (readonly [string, Data])[] = [
  [b738, { ...common, landingMode: 'inflight' }],
  [b738, { ...common, ...water, landingMode: 'dispatch' }],
  [a320, { ...common, landingMode: 'inflight' }],
  [a320, { ...common, landingMode: 'dispatch' }],
];
const before = bases.map(([id, data]) => JSON.stringify(run(id, data)));

/** Fields of `inopItems` are lists. */
const valueAt = (path: string, value: unknown): unknown => (path.startsWith('inopItems.') ? [value] : value);

const candidatesOf = (path: string, id: string): readonly unknown[] =>
  values.get(path) ??
  ofLanding(id)
    .filter(({ paramName }) => paramName === path)
    .map(({ value }) => value);

/** The first value of a field that changes an answer; undefined: the field is accepted but has no effect. */
const changing = (path: string): unknown =>
  bases
    .flatMap(([id, data], i) =>
      candidatesOf(path, id).map((value) => ({
        value,
        id,
        i,
        data: setAt(data, path.split('.'), valueAt(path, value)),
      })),
    )
    .find(({ id, i, data }) => JSON.stringify(run(id, data)) !== before[i])?.value;

describe('fields shared between queries', () => {
  test('Every field accepted by performance changes its answer', () => {
    // `weight.cg` matters only to the rule that raises a crosswind limit.
    const counted = taken.filter((path) => ![...found, ...foundByPlace, 'weight.cg'].includes(path));
    expect(counted.length).toBeGreaterThan(40);
    expect(counted.filter((path) => changing(path) === undefined)).toEqual([]);
  });

  test('Every performance field returned by plans and weather is accepted by performance', () => {
    const { landing } = performanceDefaultsSchema.shape;
    const { weather, sources, runwayConditions } = reportedSituationSchema.shape;
    const handed = [
      ...schemaLeaves(landing, 'output'),
      ...schemaLeaves(z.object({ weather, sources }), 'output'),
      ...schemaLeaves(z.object({ runwayCondition: runwayConditions.shape.landingEnroute }), 'output'),
    ];
    expect(handed.length).toBeGreaterThan(40);
    expect(handed.filter((path) => !taken.includes(path))).toEqual([]);
  });

  test('Every option offered by an aircraft for a landing has a field in performance', () => {
    for (const id of [a320, b738]) {
      const fields = new Set(ofLanding(id).map(({ paramName }) => paramName));
      expect(fields.size).toBeGreaterThan(8);
      expect([...fields].filter((path) => !taken.includes(path))).toEqual([]);
    }
  });
});
