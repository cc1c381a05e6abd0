import { describe, expect, test } from 'vitest';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { profiles } from '../fixtures/aircraft.ts';
import { anyCase, itemsOf, randomFrom, unitSteps, worseChoices } from '../fixtures/everywhere.ts';
import type { Item } from '../fixtures/everywhere.ts';
import { calculateLanding } from './calculate.ts';
import type { DispatchResult, InflightResult, LandingCase, LandingOutcome } from './types.ts';

/** Cases of each type, mode, condition and item; in a fast run of every ninth of them one. */
const deep = Boolean(process.env['DEEP']);
const casesOfEach = deep ? 60 : 1;
const everyNth = deep ? 1 : 9;
const timeoutMs = deep ? 1_800_000 : 60_000;

/** A landing that takes longer than any runway is not compared. */
const longestM = 6000;
/** The roll is integrated in steps that its delay moves, and drag grows with a headwind that lift uses up: a thousandth. */
const noise = 0.001;
const weightNoiseKg = 0.05;
/**
 * Most that a unit changes a distance, as a share. The published tables themselves have 3.6 % for a knot of tailwind on code 2
 * (350 m for 5 kt on 1,950 m), and nearly 3 % for 1 % of weight above the landing weight of the A320neo.
 */
const mostOf = (step: string): number =>
  step === '1 kt of wind' ? 0.045 : step === '1 % of weight' ? 0.04 : 0.03;

interface Compared {
  step: string;
  landing: LandingCase;
  before: LandingOutcome;
  after: LandingOutcome;
}

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
const jumping = (step: string, before: InflightResult, after: InflightResult): string[] => {
  const now = actual(after);
  return [...actual(before)].flatMap(([mode, from]) => {
    const metres = now.get(mode);
    if (from >= longestM) return [];
    if (metres === undefined) return [`${mode} no longer stops after ${from.toFixed(0)} m`];
    return metres > from * (1 + mostOf(step))
      ? [`${mode}: ${from.toFixed(1)} to ${metres.toFixed(1)} m`]
      : [];
  });
};

const heavier = (before: DispatchResult, after: DispatchResult): string[] =>
  after.landingMassKg > before.landingMassKg + weightNoiseKg
    ? [`${before.landingMassKg.toFixed(1)} to ${after.landingMassKg.toFixed(1)} kg`]
    : [];

const faultsOf = ({ step, before, after }: Compared): string[] => {
  if (!after.ok) return [];
  if (!before.ok)
    return before.code === 'CANNOT_STOP' || before.code === 'NO_LANDING_WEIGHT' ? ['an answer again'] : [];
  const [a, b] = [before.result, after.result];
  if (a.mode === 'dispatch' && b.mode === 'dispatch') return heavier(a, b);
  if (a.mode !== 'inflight' || b.mode !== 'inflight') return [];
  return [...shorter(a, b), ...(step in unitSteps ? jumping(step, a, b) : [])];
};

/** Every step and choice of one case that makes it worse, with what it makes of the answer. */
const comparedIn = (profile: AircraftProfile, landing: LandingCase): Compared[] => {
  const before = calculateLanding(profile, landing);
  return Object.entries({ ...unitSteps, ...worseChoices }).flatMap(([step, worsen]) => {
    const worse = worsen(landing);
    return worse === null ? [] : [{ step, landing: worse, before, after: calculateLanding(profile, worse) }];
  });
};

const drawnFor = (profile: AircraftProfile, seed: number): [Item, LandingCase][] => {
  const random = randomFrom(seed);
  return itemsOf(profile).flatMap((item, i) =>
    (['inflight', 'dispatch'] as const).flatMap((mode, k) =>
      (2 * i + k + seed) % everyNth > 0
        ? []
        : Array.from({ length: casesOfEach }, (): [Item, LandingCase] => [
            item,
            anyCase(profile, mode, item, random),
          ]),
    ),
  );
};

describe('everywhere in the envelope', () => {
  test.each([...profiles.values()].map((profile, i) => [profile.id, profile, i + 1] as const))(
    '%s: nothing worse is shorter or heavier, and no unit of weight, weather, slope or depth makes a jump',
    (_, profile, seed) => {
      const found: string[] = [];
      for (const [, landing] of drawnFor(profile, seed)) {
        for (const compared of comparedIn(profile, landing)) {
          const faults = faultsOf(compared);
          if (faults.length > 0)
            found.push(`${compared.step}: ${faults.join(', ')} ${JSON.stringify(compared.landing)}`);
        }
      }
      expect(found.slice(0, 5)).toEqual([]);
    },
    timeoutMs,
  );

  test.each([...profiles.values()].map((profile, i) => [profile.id, profile, i + 31] as const))(
    '%s: a condition or an item is never shorter or heavier than the same landing without it',
    (_, profile, seed) => {
      const found: string[] = [];
      for (const [item, landing] of drawnFor(profile, seed)) {
        const sound = { ...landing.configuration, nonNormal: [], mel: [], cdl: [] };
        const before = calculateLanding(profile, { ...landing, configuration: sound });
        const after = calculateLanding(profile, landing);
        const faults = faultsOf({ step: 'item', landing, before, after });
        if (faults.length > 0) found.push(`${JSON.stringify(item)}: ${faults.join(', ')}`);
      }
      expect(found.slice(0, 5)).toEqual([]);
    },
    timeoutMs,
  );
});
