/** Plans with random faults, and values that other queries take from a plan. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  performanceDefaultsOf,
  performanceDefaultsSchema,
  runwayOf,
  unitsOf,
} from '#domain/ofp/performance-defaults.ts';
import { plannedSituation } from '#domain/ofp/planned-use.ts';
import type { PlannedUse } from '#domain/ofp/planned-use.ts';
import type { OfpPlanned } from '#domain/ofp/planned.ts';
import { checkWeights, matchProfile } from '#domain/ofp/profile-match.ts';
import { normalizedOfpSchema } from '#domain/ofp/schema.ts';
import type { NormalizedOfp } from '#domain/ofp/schema.ts';
import { ofpFactsSchema } from '#domain/ofp/summary.ts';
import { createWarnings } from '#domain/ofp/warnings.ts';
import type { UserPreferences } from '#domain/users/preferences.ts';
import { waypointSchema } from '#domain/winds/wind-aloft.ts';
import { profile } from '#perf/fixtures/aircraft.ts';
import { longHaul, planDocument, planText } from '#test/support/ofp.ts';
import { parseDocument } from './parse.ts';
import type { ParsedDocument, ParsedPlan } from './parse.ts';

const parse = (content: string): ParsedPlan => {
  const parsed = parseDocument({ content, keepNotams: true });
  if (parsed.kind !== 'plan') throw new Error(parsed.problem);
  return parsed;
};
const times = {
  generatedAt: '2026-09-16T12:00:00Z',
  departureAt: '2026-09-16T14:20:00Z',
  arrivalAt: '2026-09-16T15:30:00Z',
};
const defaultsOf = (ofp: OfpPlanned, defaultUnit: UserPreferences['defaultUnit'] = 'METRIC') => {
  const { generatedAt, departureAt, arrivalAt } = times;
  const held = (planned: PlannedUse, at: string) => {
    const runway = {
      ident: runwayOf(planned.airport, planned.section),
      trueBearingDeg: null,
      official: null,
    };
    return plannedSituation(planned, { metar: null, taf: null }, runway, {
      generatedAt,
      at,
      now: generatedAt,
    });
  };
  const departure = held({ airport: ofp.origin, section: ofp.takeoff, use: 'takeoff' }, departureAt);
  const arrival = held({ airport: ofp.destination, section: ofp.landing, use: 'arrival' }, arrivalAt);
  const ends = {
    departure: { situation: departure, runwayId: runwayOf(ofp.origin, ofp.takeoff) },
    arrival: { situation: arrival, runwayId: runwayOf(ofp.destination, ofp.landing) },
  };
  return performanceDefaultsOf(
    ofp,
    { matched: null, aircraft: undefined },
    times,
    ends,
    unitsOf({ defaultUnit }),
  );
};
const normalized = (content: string): NormalizedOfp => JSON.parse(parse(content).normalized) as NormalizedOfp;

describe('generated plans', () => {
  const odd = [
    undefined,
    null,
    '',
    {},
    [],
    0,
    -1,
    1e308,
    'x',
    '１２',
    '\0',
    '\ud800',
    'NaN',
    true,
    [[[]]],
    { a: {} },
    { '#text': {} },
    '9'.repeat(50_000),
    '<b>',
    '__proto__',
    [null],
    { 0: 'a', 1: {} },
    Number.MAX_SAFE_INTEGER,
  ];

  /** Replaces random members of a document. */
  const mutate = (value: unknown, next: () => number): unknown => {
    if (next() < 0.04) return odd[Math.floor(next() * odd.length)];
    if (Array.isArray(value)) {
      if (next() < 0.1) return mutate(value[0], next);
      return value.map((entry) => mutate(entry, next));
    }
    if (typeof value !== 'object' || value === null) return next() < 0.1 ? Number(value) : value;
    if (next() < 0.05) return [mutate({ ...value }, () => 1), value];
    return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, mutate(child, next)]));
  };

  /** Faults in the result for a document; throws for an undeclared shape. */
  const faultsOf = (parsed: ParsedDocument): string[] => {
    if (parsed.kind !== 'plan') return parsed.problem === '' ? ['refused without a reason'] : [];
    const ofp = normalizedOfpSchema.parse(JSON.parse(parsed.normalized));
    ofpFactsSchema.parse(parsed.facts);
    performanceDefaultsSchema.parse(defaultsOf(ofp));
    for (const waypoint of ofp.navlog) waypointSchema.parse(waypoint);
    const nameless = parsed.warnings.filter(({ path, message }) => path === '' || message === '');
    return nameless.map(({ code }) => `${code} does not name its path`);
  };

  test('A plan with any fields replaced is read in the declared form or refused, and nothing else is thrown', () => {
    const documents = [planDocument({ fixes: 3 }), planDocument({ ...longHaul, fixes: 4 })];
    fc.assert(
      fc.property(
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        fc.nat(1),
        (stream, which) => {
          const next = () => stream.next().value as number;
          const parsed = parseDocument({
            content: JSON.stringify(mutate(documents[which], next) ?? null),
            keepNotams: true,
          });
          expect(faultsOf(parsed)).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('Any text, and any part of a plan, is read or refused with a reason', () => {
    const texts = [planText({ fixes: 2 }), planText({ fixes: 2 }, 'xml')];
    fc.assert(
      fc.property(fc.nat(1), fc.nat(), fc.nat(), fc.string(), (which, from, length, insert) => {
        const text = texts[which] ?? '';
        const at = from % text.length;
        const broken = text.slice(0, at) + insert + text.slice(at + (length % 40));
        const parsed = parseDocument({ content: broken, keepNotams: false });
        expect(parsed.kind === 'plan' ? 'plan' : parsed.problem).not.toBe('');
      }),
      { numRuns: 300 },
    );
  });
});

describe('aircraft profile for a plan', () => {
  const standard = (id: string) => ({
    key: { file: id, userRegistration: null, virtualAirline: null },
    fleetId: null,
    profile: profile(id),
  });
  const b26 = standard('737-800-7B26');
  const fleet = { ...b26, key: { ...b26.key, userRegistration: 'own' }, fleetId: 7 };
  const standards = [standard('737-800-7B24'), b26];
  const candidates = [...standards, fleet];
  const { aircraft } = normalized(planText());

  test('A fleet registration is matched first, then the engines, then the type (G-06)', () => {
    expect(matchProfile(aircraft, candidates)?.match).toMatchObject({
      userRegistration: 'own',
      confidence: 'registration',
    });
    expect(matchProfile(aircraft, standards)?.match).toMatchObject({
      file: '737-800-7B26',
      confidence: 'engines',
    });
    expect(matchProfile({ ...aircraft, engines: null }, standards)?.match).toMatchObject({
      file: '737-800-7B24',
      confidence: 'type',
    });
    expect(matchProfile({ ...aircraft, icao: 'C172', baseType: null }, standards)).toBeNull();
  });

  test('A registration of an aircraft of another type is not used, and the conflict is named', () => {
    const a320 = standard('A320-251N');
    const ofOther = matchProfile({ ...aircraft, icao: 'A20N', baseType: 'A20N' }, [...candidates, a320]);
    expect(ofOther?.match).toMatchObject({ file: 'A320-251N', userRegistration: null, confidence: 'type' });
    expect(ofOther?.conflict).toBe(fleet);
    const only = matchProfile({ ...aircraft, icao: 'C172', baseType: null }, candidates);
    expect(only?.match).toMatchObject({ userRegistration: 'own', confidence: 'conflict' });
  });

  test('Maximum weights that differ by more than the user’s tolerance get a caution', () => {
    const warned = (percent: number, maxLdw: number) => {
      const warnings = createWarnings();
      const { core } = parse(
        planText({
          loads: { oew: 91_300, payload: 26_500, maxZfw: 1, maxTow: 174_200, burn: 6_400, maxLdw },
        }),
      );
      checkWeights(core, b26, percent, warnings);
      return warnings.list().map(({ path }) => path);
    };
    expect(warned(5, 146_300)).toEqual([]);
    expect(warned(5, 120_000)).toEqual(['weights.max_ldw']);
    expect(warned(30, 120_000)).toEqual([]);
  });

  test('Landing defaults are in kg, knots and hPa, and hours after the METAR they come from the performance section', () => {
    const ofp = normalized(planText());
    expect(defaultsOf(ofp).landing).toMatchObject({
      airport: 'KJFK',
      runway: '04L',
      weight: { landingWeight: Math.round(119_720 * 0.453_592_37) },
      weather: { windDirection: 30, windSpeed: 12, temperature: 15, qnh: 1013 },
    });
    expect(defaultsOf(ofp).takeoff.weather).toMatchObject({
      windDirection: 270,
      windSpeed: 10,
      temperature: 15,
    });
    const metric = defaultsOf(normalized(planText(longHaul)));
    expect(metric.takeoff.weather).toMatchObject({ windDirection: 240, windSpeed: 15.55, qnh: 1013 });
    const plan = planDocument();
    const without = { ...plan, params: {}, destination: { ...plan['destination'], metar: {} } };
    const unknown = defaultsOf(normalized(JSON.stringify(without)));
    expect(unknown.landing.weight.landingWeight).toBeNull();
    expect(unknown.landing.weather).toMatchObject({
      windDirection: 270,
      windSpeed: 10,
      temperature: 15,
      qnh: 1013,
    });
  });

  test('Defaults are in the reader’s units, and rounding makes none more favourable than in metric units', () => {
    const ofp = normalized(planText());
    expect(defaultsOf(ofp, 'IMPERIAL').landing).toMatchObject({
      units: { weight: 'lb', pressure: 'inhg', depth: 'inches' },
      weight: { landingWeight: 119_720 },
      weather: { windSpeed: 12, qnh: 29.91 },
    });
    const { weather, units } = defaultsOf(ofp, 'METRIC_M').takeoff;
    expect([units.wind, weather.windSpeed, weather.qnh]).toEqual(['ms', 5.14, 1013]);
    const kilograms = normalized(planText({ units: 'kgs' }));
    expect(defaultsOf(kilograms, 'HYBRID2').landing.weight.landingWeight).toBe(
      Math.ceil(119_720 / 0.453_592_37),
    );
    const slush = {
      ...ofp,
      takeoff: ofp.takeoff && { ...ofp.takeoff, conditions: { ...ofp.takeoff.conditions, surface: 'slush' } },
    };
    expect(defaultsOf(slush, 'IMPERIAL').takeoff.runwayCondition).toEqual({ state: 'SLUSH', depth: 0.51181 });
  });
});
