import { describe, expect, test } from 'vitest';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { profile, profiles } from '../fixtures/aircraft.ts';
import { anyCase, itemsOf, randomFrom, unitSteps, worseChoices } from '../fixtures/everywhere.ts';
import { onceBroken } from '../fixtures/once-broken.ts';
import { calculateLanding } from './calculate.ts';
import type {
  DispatchResult,
  InflightResult,
  LandingCase,
  LandingOutcome,
  LimitKey,
  Limits,
} from './types.ts';

/** Number of cases per type, mode, condition and item; a fast run has half of the items, and compares a few cases step by step, too. */
const deep = Boolean(process.env['DEEP']);
const casesOfEach = deep ? 60 : 1;
const everyNth = deep ? 1 : 9;
const timeoutMs = deep ? 1_800_000 : 60_000;

/** Landings longer than the longest runways are not compared. */
const longestM = 5000;
/** Relative error of a comparison: a different delay moves the integration steps of the roll, and headwind adds lift. */
const noise = 0.001;
const weightNoiseKg = 0.05;

/** Largest permitted change of a distance or limit weight for one unit, as a share. */
const mostOfUnit = 0.03;
/**
 * The same for a knot of tailwind on codes 2 and 1, where it counts as 1.5 kt (CAT.POL.A.330(c)) and speed costs most: published
 * in-flight tables have 350 m for 5 kt on 1,950 m (code 2) and 430 m on 2,020 m (code 1, reversers): 3.6 and 4.3 % a knot.
 */
const mostOfTailwindOnIce = 1.5 * mostOfUnit;

/** The change of ground speed (kt) that a knot of tailwind, counted as 1.5 kt, or 1 % of weight can cause. */
const mostTyreKt = 2;

interface Compared {
  aircraft: AircraftProfile;
  step: string;
  original: LandingCase;
  landing: LandingCase;
  before: LandingOutcome;
  after: LandingOutcome;
}

const mostOf = ({ step, landing }: Compared, { rwycc }: { rwycc: number }): number =>
  step === '1 kt of wind' && landing.weather.headwindMps < 0 && rwycc <= 2 ? mostOfTailwindOnIce : mostOfUnit;

const actual = (result: InflightResult): Map<string, number> =>
  new Map(result.modes.map((mode) => [mode.autobrake, mode.actualM]));

/** Modes that are shorter, or that stop although they did not before. */
const shorter = (before: InflightResult, after: InflightResult): string[] => {
  const then = actual(before);
  const stuck = new Set(
    before.unusable.filter(({ reason }) => reason === 'CANNOT_STOP').map(({ autobrake }) => autobrake),
  );
  return [...actual(after)].flatMap(([mode, metres]) => {
    const from = then.get(mode);
    if (stuck.has(mode)) return [`${mode} stops again`];
    return from !== undefined && from < longestM && metres < from * (1 - noise)
      ? [`${mode}: ${from.toFixed(1)} to ${metres.toFixed(1)} m`]
      : [];
  });
};

/** Modes that grow by more than a step may, and those that no longer stop. */
const jumping = (most: number, before: InflightResult, after: InflightResult): string[] => {
  const now = actual(after);
  return [...actual(before)].flatMap(([mode, from]) => {
    const metres = now.get(mode);
    if (from >= longestM) return [];
    if (metres === undefined) return [`${mode} no longer stops after ${from.toFixed(0)} m`];
    return metres > from * (1 + most) ? [`${mode}: ${from.toFixed(1)} to ${metres.toFixed(1)} m`] : [];
  });
};

const heavier = (before: DispatchResult, after: DispatchResult): string[] =>
  after.massKg > before.massKg + weightNoiseKg
    ? [`${before.massKg.toFixed(1)} to ${after.massKg.toFixed(1)} kg`]
    : [];

const limitKeys = [
  'fieldKg',
  'approachClimbKg',
  'landingClimbKg',
  'tireKg',
  'quickTurnKg',
  'macgKg',
] as const satisfies readonly (LimitKey | 'quickTurnKg')[];

/**
 * The same case with as much less runway (as a share) or tyre speed rating (kt) as a step may cost.
 */
const eased = (key: string, { configuration, runway, ...rest }: LandingCase, most: number): LandingCase => ({
  ...rest,
  runway: key === 'fieldKg' ? { ...runway, ldaM: runway.ldaM / (1 + most) } : runway,
  configuration:
    key === 'tireKg'
      ? { ...configuration, vrefAdditiveKt: configuration.vrefAdditiveKt + mostTyreKt }
      : configuration,
});

/**
 * Limit weights that fall by more than a step permits. Where a published speed is constant, weight hardly changes the
 * distance or tyre speed, so a limit may fall further: as far as with that share less of runway or tyre rating.
 */
const falling = (compared: Compared, most: number, before: Limits, after: Limits): string[] =>
  limitKeys.flatMap((key) => {
    const [from, to] = [before[key], after[key]];
    if (from === null || to === null || to >= from * (1 - most)) return [];
    const worth = calculateLanding(compared.aircraft, eased(key, compared.original, most));
    if (!worth.ok || to >= (worth.result.limits[key] ?? 0)) return [];
    return [`${key}: ${from.toFixed(0)} to ${to.toFixed(0)} kg`];
  });

/** At 10 °C the icing penalty on climb weight ends; that jump is a rule, not a fault. */
const icingEndsK = 283.15;
const crossesIcing = ({ original, landing }: Compared): boolean =>
  original.configuration.antiIce !== undefined &&
  original.weather.temperatureK <= icingEndsK !== landing.weather.temperatureK <= icingEndsK;

const faultsOf = (compared: Compared): string[] => {
  const { step, before, after } = compared;
  if (!after.ok || crossesIcing(compared)) return [];
  if (!before.ok)
    return before.code === 'CANNOT_STOP' || before.code === 'NO_LANDING_WEIGHT' ? ['an answer again'] : [];
  const [a, b] = [before.result, after.result];
  const isUnit = step in unitSteps;
  const most = mostOf(compared, a);
  const limits = isUnit ? falling(compared, most, a.limits, b.limits) : [];
  if (a.mode === 'dispatch' && b.mode === 'dispatch') return [...heavier(a, b), ...limits];
  if (a.mode !== 'inflight' || b.mode !== 'inflight') return [];
  return [...shorter(a, b), ...(isUnit ? jumping(most, a, b) : []), ...limits];
};

type Worsen = (landing: LandingCase) => LandingCase | null;
const steps: Record<string, Worsen> = { ...unitSteps, ...worseChoices };

/** Errors of one case as sentences: those found by single steps, and by its failure or item. */
const faultsIn = (
  aircraft: AircraftProfile,
  landing: LandingCase,
  named: readonly string[],
  withItem: boolean,
): string[] => {
  const outcome = calculateLanding(aircraft, landing);
  const appliedItem = (compared: Compared): string[] => {
    const faults = faultsOf(compared);
    return faults.length === 0
      ? []
      : [`${compared.step}: ${faults.join(', ')} ${JSON.stringify(compared.original)}`];
  };
  const sound = { ...landing.configuration, nonNormal: [], mel: [], cdl: [] };
  const original = { ...landing, configuration: sound };
  const byItem = withItem
    ? appliedItem({
        aircraft,
        step: 'item',
        original,
        landing,
        before: calculateLanding(aircraft, original),
        after: outcome,
      })
    : [];
  const bySteps = named.flatMap((step) => {
    const worse = steps[step]?.(landing) ?? null;
    if (worse === null) return [];
    const after = calculateLanding(aircraft, worse);
    return appliedItem({ aircraft, step, original: landing, landing: worse, before: outcome, after });
  });
  return [...byItem, ...bySteps];
};

describe('the whole envelope', () => {
  test.each([...profiles.values()].map((aircraft, i) => [aircraft.id, aircraft, i + 1] as const))(
    'For the %s worse conditions never give a shorter distance or a higher weight, and no unit step of weight, weather, slope, speed or depth causes a jump',
    (_, aircraft, seed) => {
      const random = randomFrom(seed);
      const found = itemsOf(aircraft).flatMap((item, i) =>
        (i > 0 && !deep && (i + seed) % 2 > 0 ? [] : (['inflight', 'dispatch'] as const)).flatMap((mode, k) =>
          Array.from({ length: casesOfEach }, () => anyCase(aircraft, mode, item, random)).flatMap(
            (landing) => {
              const named = (2 * i + k + seed) % everyNth > 0 ? [] : Object.keys(steps);
              return faultsIn(aircraft, landing, named, i > 0);
            },
          ),
        ),
      );
      expect(found.slice(0, 5)).toEqual([]);
    },
    timeoutMs,
  );

  test.each(onceBroken)('$id, $step: $why', ({ id, step, landing }) => {
    expect(faultsIn(profile(id), landing, [step], false)).toEqual([]);
  });
});
