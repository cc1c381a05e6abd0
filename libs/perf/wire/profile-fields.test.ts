/**
 * Every field of a profile: changing it changes an answer or is refused, or the field is listed as display
 * only.
 */
import { describe, expect, test } from 'vitest';
import { displayOnly } from '../fixtures/display-only.ts';
import { aircraftProfileSchema } from '#domain/aircraft/profile.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { profile, profiles } from '../fixtures/aircraft.ts';
import { answered, b738, inflight, metres, run } from '../fixtures/landing-calls.ts';
import type { Data } from '../fixtures/landing-calls.ts';
import { mergedJson } from '#domain/fleet/aircraft.ts';
import { checkFleetProfile } from '../check/profile.ts';
import { formData } from './aircraft.ts';
import type { FormOption } from '#domain/aircraft/catalogue.ts';
import { mostDepthMm } from '../landing/profile-lookup.ts';
import type { RunwayFacts } from './types.ts';

type Key = string | number;
type Call = readonly [Data, Partial<RunwayFacts>];
interface Leaf {
  path: readonly Key[];
  value: unknown;
}

const leavesOf = (value: unknown, path: readonly Key[] = []): Leaf[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, child]) =>
        leavesOf(child, [...path, Array.isArray(value) ? Number(key) : key]),
      )
    : [{ path, value }];

const withValue = (node: unknown, [first = '', ...rest]: readonly Key[], value: unknown): unknown => {
  const copy = (Array.isArray(node) ? [...(node as unknown[])] : { ...(node as object) }) as Record<
    Key,
    unknown
  >;
  copy[first] = rest.length === 0 ? value : withValue(copy[first], rest, value);
  return copy;
};

/** Maps whose keys are names of flaps, codes or kinds. */
const maps =
  /^(.*(iceAccretionKt|autolandExtraM|ByMassPerFlap|friction|Code|Rwycc)|conditions|brakeOptions)\./;
const patternOf = (path: readonly Key[]): string => {
  const named = path.map((key) => (typeof key === 'number' ? '*' : key)).join('.');
  return named.replace(maps, (start) => `${start}<`).replace(/<[^.]+/, '*');
};
/** Fields without effect alone: rules for two items at once, and parts of terms that these aircraft lack. */
const together =
  /^(nonNormal|mel|cdl)\.\*\.(combine|onRequired)$|energy\.referenceMassKg$|^(brakeOptions\.\*|brakes)\.kind$/;
/** True for names, remarks and sort keys, which no calculation uses. */
const isWords = (path: readonly Key[]): boolean =>
  /^(label|shortDisplay|order|title|description|note|source)$/.test(String(path.at(-1)));
const isListed = (pattern: string): boolean => {
  const path = pattern.replace('brakeOptions.*.', 'brakes.');
  return [...displayOnly.keys()].some((listed) => path === listed || path.startsWith(`${listed}.`));
};

/** The profile with another value at the path; a default is moved to this entry, since a list has exactly one. */
const withOther = (p: AircraftProfile, { path }: Leaf, other: unknown): unknown => {
  const list = path.slice(0, -2);
  if (path.at(-1) !== 'isDefault') return withValue(p, path, other);
  const entries = list.reduce<unknown>((node, key) => (node as Record<Key, unknown>)[key], p) as object[];
  const moved = entries.map((entry, i) => ({ ...entry, isDefault: i === path.at(-2) }));
  return withValue(p, list, moved);
};

const others = (value: unknown): readonly unknown[] => {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'string')
    return ['steel', 'carbon', 'multiply', 'highest', 'dispatch', 'inflight', 'Other'];
  if (typeof value !== 'number') return [60_000, 5, true, 'Other'];
  const step = value === 0 ? 3 : value * 0.08;
  return [value + step, value / 2 - step / 4, value + 250];
};

const kg = 60_000;
const calls = (p: AircraftProfile): readonly Call[] => {
  const flying = (data: Data = {}, facts: Partial<RunwayFacts> = {}): Call => [
    { landingMode: 'inflight', ...metres, weight: { landingWeight: kg, cg: 20 }, ...data },
    facts,
  ];
  const planned = (data: Data = {}, facts: Partial<RunwayFacts> = {}): Call => [
    { landingMode: 'dispatch', ...metres, ...data },
    { ldaM: 1_800, ...facts },
  ];
  const configured = (configuration: Data, rest: Data = {}) => [
    flying({ configuration, ...rest }),
    planned({ configuration, ...rest }),
  ];
  const weighing = (landingWeight: number) => flying({ weight: { landingWeight } });
  const { oew, mslw, mstow } = p.weight;
  const landingFlaps = p.flaps.filter(({ landing }) => landing);
  const wet = (conditions: AircraftProfile['conditions']['dispatch'], make: typeof flying) =>
    conditions.flatMap((condition) => {
      const { value, requiresDepth, minDepthMm, thin } = condition;
      const mostMm = mostDepthMm(p, condition);
      return (
        requiresDepth ? [0, thin?.upToMm ?? minDepthMm, minDepthMm, (minDepthMm + mostMm) / 2, mostMm] : [0]
      ).map((depth) => make({ runwayCondition: { state: value, depth } }));
    });
  const items = (['mel', 'cdl'] as const).flatMap((kind) =>
    p[kind].flatMap(({ value }) => {
      const inopItems = { [kind]: [value] };
      const slippery = { runwayCondition: { state: p.conditions.enroute.at(-2)?.value } };
      return [flying({ inopItems }), planned({ inopItems }), flying({ inopItems, ...slippery })];
    }),
  );
  return [
    flying(),
    planned(),
    planned({}, { ldaM: 2_800 }),
    flying({ weather: { windDirection: 160, windSpeed: 39, temperature: 30 } }),
    ...[9, 29].map((cg) =>
      flying({ weather: { windDirection: 160, windSpeed: 37 }, weight: { landingWeight: kg, cg } }),
    ),
    flying({ weather: { windDirection: 70, windSpeed: 60, temperature: 5 } }),
    flying(
      { weather: { headwind: -25, temperature: 30 } },
      { elevationFt: 7_000, slopePercent: -1.5, widthM: 28 },
    ),
    planned(
      { weather: { headwind: -10, temperature: 38 } },
      { elevationFt: 7_000, slopePercent: -1.9, ldaM: 2_800 },
    ),
    planned({ weather: { headwind: 20 } }),
    planned({}, { macgPercent: 6, ldaM: 2_800 }),
    flying({}, { elevationFt: 9_300 }),
    flying({}, { standardEfp: false, lengthM: 1_800 }),
    flying(
      { weather: { temperature: 35, headwind: -10 } },
      { standardEfp: false, lengthM: 4_500, elevationFt: 7_000, slopePercent: -1.5 },
    ),
    flying({ assess: true }),
    planned({ assess: true }),
    ...[60, -60, -16, -14, 12].map((temperature) => flying({ weather: { temperature } })),
    ...[850, 1_080].map((qnh) => flying({ weather: { qnh } })),
    ...[mstow - 100, mslw + 200, mslw * 0.99, oew * 1.02, oew * 0.95].map(weighing),
    ...configured({ vrefAdditive: 35 }),
    ...wet(p.conditions.enroute, flying),
    ...wet(p.conditions.dispatch, planned),
    ...[-20, -10].map((temperature) =>
      flying({ weather: { temperature }, runwayCondition: { state: 'COMPACTED_SNOW' } }),
    ),
    ...landingFlaps.flatMap(({ code }) => configured({ flap: code })),
    ...landingFlaps
      .filter(({ autolandAvailable }) => autolandAvailable)
      .flatMap(({ code }) => configured({ flap: `${code}_AUTOLAND` })),
    ...p.options.approachType.flatMap(({ value }) => configured({ approachType: value })),
    ...p.options.antiIce.flatMap(({ value }) =>
      configured({ antiIce: value }, { weather: { temperature: 2 } }),
    ),
    ...p.options.reversers.flatMap(({ value }) => configured({ reverser: value })),
    ...p.options.groundSpoilers.flatMap(({ value }) => configured({ speedbrake: value })),
    ...p.options.acBleed.flatMap(({ value }) => configured({ acBleed: value })),
    ...p.options.cgPosition.map(({ value }) => flying({ weight: { landingWeight: kg, cgPosition: value } })),
    ...p.nonNormal.map(({ value }) => flying({ configuration: { nonNormalCondition: value } })),
    ...items,
  ].toSorted(([a], [b]) => Number(b['landingMode'] === 'inflight') - Number(a['landingMode'] === 'inflight'));
};

/** The calls that name the changed entry of a list; all calls for any other field. */
const callsOf = (
  all: readonly Call[],
  p: AircraftProfile,
  [section, index]: readonly Key[],
): readonly Call[] => {
  const list = section === 'nonNormal' || section === 'mel' || section === 'cdl' ? p[section] : [];
  const value = typeof index === 'number' ? list[index]?.value : undefined;
  if (value === undefined) return all;
  const isOwn = ([data]: Call) => JSON.stringify(data).includes(`"${value}"`);
  return all.filter(isOwn);
};

/** The change as part of a fleet profile: as returned by `fleetGet`, merged over the standard aircraft. */
const asFleet = (p: AircraftProfile, other: unknown): unknown => {
  const sections = Object.entries(other as object).filter(
    ([name, value]) => value !== p[name as keyof typeof p],
  );
  const { userRegistration, virtualAirline } = p.profile;
  const merged = mergedJson(p, [Object.fromEntries(sections)], { registration: '', vaName: null });
  return { ...merged, profile: { ...(merged['profile'] as object), userRegistration, virtualAirline } };
};

const mostLeaves = 6;
const isDeep = Boolean(process.env['DEEP']);
/** A fast run tries an eighth of the fields, the same ones for each aircraft; `npm run test:deep` tries all. */
const isTried = (pattern: string): boolean =>
  isDeep || Buffer.from(pattern).reduce((a, b) => a + b, 0) % 8 === 0;

/**
 * Fields of an aircraft whose change had no effect; `used` has fields for which another aircraft has shown an
 * effect.
 */
const silentFields = (p: AircraftProfile, used: Set<string>, among = /^/): string[] => {
  const all = [...calls(p)];
  const before = new Map(all.map((call) => [call, JSON.stringify(run(p, ...call))]));
  const changes = (changed: AircraftProfile, path: readonly Key[]): boolean => {
    const own = callsOf(all, p, path);
    const found = own.find((call) => JSON.stringify(run(changed, ...call)) !== before.get(call));
    // A case that reveals one field often reveals its neighbours: try it first next time.
    if (found) all.unshift(...all.splice(all.indexOf(found), 1));
    return found !== undefined;
  };
  const isRefused = (changed: AircraftProfile): boolean => checkFleetProfile(changed, false).length > 0;
  /** True if an accepted value changes an answer; null: the value is not accepted. */
  const countsAs = (leaf: Leaf, other: unknown): boolean | null => {
    const { data } = aircraftProfileSchema.safeParse(asFleet(p, withOther(p, leaf, other)));
    if (!data) return null;
    try {
      return changes(data, leaf.path) || isRefused(data);
    } catch (error) {
      // A profile whose calculation crashes must not be accepted.
      if (isRefused(data)) return true;
      throw new Error(`${leaf.path.join('.')}: a value is saved and fails`, { cause: error });
    }
  };
  const counts = (leaf: Leaf): boolean => {
    let isAccepted = false;
    for (const other of others(leaf.value)) {
      const found = countsAs(leaf, other);
      if (found) return true;
      if (found === false) isAccepted = true;
    }
    return !isAccepted;
  };
  const groups = Map.groupBy(
    leavesOf(p).filter(({ path }) => path[0] !== 'vectors' && path[0] !== 'provenance' && !isWords(path)),
    ({ path }) => patternOf(path),
  );
  const silent: string[] = [];
  for (const [pattern, leaves] of groups) {
    if (
      !isTried(pattern) ||
      !among.test(pattern) ||
      isListed(pattern) ||
      together.test(pattern) ||
      used.has(pattern)
    )
      continue;
    const every = Math.ceil(leaves.length / mostLeaves);
    if (leaves.filter((_, i) => i % every === 0).some(counts)) used.add(pattern);
    else silent.push(pattern);
  }
  return silent;
};

describe('profile fields', () => {
  test('Each profile field changes an answer, is refused, or is listed as display only', () => {
    const used = new Set<string>();
    const steel = profile(b738);
    const carbon = { ...steel, model: { ...steel.model, brakes: 'Carbon' } };
    const silent = [
      ...silentFields(steel, used, /^(?!brakeOptions)/),
      ...silentFields(carbon, used, /^brakeOptions/),
      ...silentFields(profile('A320-251N'), used),
    ];
    expect(used.size).toBeGreaterThan(isDeep ? 200 : 20);
    expect([...new Set(silent)].filter((pattern) => !used.has(pattern))).toEqual([]);
  });

  const own = (data: object) => aircraftProfileSchema.parse({ ...profile(b738), ...data });
  const p = profile(b738);
  const moved = <T extends { value: string }>(list: readonly T[], value: string) =>
    list.map((entry) => ({ ...entry, isDefault: entry.value === value }));

  test('The defaults in forms equal those of a request without values, and applied names the profile', () => {
    const { options, conditions } = p;
    const cautious = own({
      options: {
        ...options,
        reversers: moved(options.reversers, 'NONE'),
        antiIce: moved(options.antiIce, 'ENGINE_WING'),
        groundSpoilers: moved(options.groundSpoilers, 'MANUAL'),
      },
      conditions: { ...conditions, enroute: moved(conditions.enroute, 'GOOD') },
    });
    const silent = answered(cautious, inflight());
    const configuration = { reverser: 'NONE', antiIce: 'ENGINE_WING', speedbrake: 'MANUAL' };
    const named = { configuration, runwayCondition: { state: 'GOOD' } };
    expect(silent.performance).toEqual(answered(p, inflight(kg, named)).performance);
    expect(silent.answer.applied).toEqual(
      expect.arrayContaining([
        { name: 'Reversers', value: 'NONE', unit: '', source: 'profile' },
        { name: 'Anti-ice', value: 'ENGINE_WING', unit: '', source: 'profile' },
      ]),
    );
    const { reversers, ai } = (formData(cautious) as { landing: Record<string, FormOption[]> }).landing;
    const marked = (list: FormOption[] = []) => list.filter(({ isDefault }) => isDefault);
    expect([...marked(reversers), ...marked(ai)].map(({ value }) => value)).toEqual(['NONE', 'ENGINE_WING']);
  });

  test('Standard aircraft keep the defaults of the specification (M-4.7.p18, M-4.7.p22, M-4.7.p23, M-4.7.p24, M-4.7.p25)', () => {
    const configuration = { antiIce: 'OFF', reverser: 'ALL', speedbrake: 'AUTO', vrefAdditive: 0 };
    for (const [id, each] of profiles) {
      const weightKg = each.weight.mslw * 0.9;
      const named = { configuration, runwayCondition: { state: 'DRY' } };
      const { performance } = answered(id, inflight(weightKg));
      expect(performance, id).toEqual(answered(id, inflight(weightKg, named)).performance);
    }
  });

  test('The default additive of a profile is the minimum of a request without one', () => {
    const faster = own({ landing: { ...p.landing, vrefAdditiveDefault: 8 } });
    const additive = (data: Data = {}) => answered(faster, inflight(kg, data)).performance.vrefAdditive;
    expect(additive()).toBe(8);
    expect(additive({ configuration: { vrefAdditive: 0 } })).toBe(0);
    expect(additive({ weather: { windDirection: 70, windSpeed: 20, gust: 30 } })).toBe(20);
  });

  test('The performance-limited weight of a profile limits a landing like the structural one', () => {
    const limited = own({ weight: { ...p.weight, performanceLimitedWeight: 58_000 } });
    const dispatch = answered(limited, { landingMode: 'dispatch' }, { ldaM: 3_500 }).performance;
    expect([dispatch.landingWeight, dispatch.limitedBy]).toEqual([58_000, 'STRUCT.']);
    const { performance, answer } = answered(limited, inflight(59_000));
    expect(performance.isOverweightLanding).toBe(true);
    expect(answer.cautions.find(({ code }) => code === 'OVERWEIGHT')).toMatchObject({ limit: 58_000 });
  });

  test('Speeds and limits for an unknown flap are refused', () => {
    const { landing } = p;
    const [row, ...rows] = landing.windLimit.crosswindLimitsPerRunwayConditions;
    const crosswindLimitsPerRunwayConditions = [
      { ...row, increaseableWindLimitRunwayMinimumFlaps: '99' },
      ...rows,
    ];
    const wrong = [
      { landing: { ...landing, goAroundFlap: '99' } },
      { landing: { ...landing, windLimit: { ...landing.windLimit, crosswindLimitsPerRunwayConditions } } },
    ];
    for (const data of wrong)
      expect(checkFleetProfile(own(data), false)).toEqual([expect.stringMatching(/unknown flap 99/)]);
  });
});
