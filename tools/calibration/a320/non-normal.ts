import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { calculateLine } from '#perf/wire/calc.ts';
import { valueAt } from '#perf/check/profile.ts';
import { inflightCase } from '../build.ts';
import type { Point } from '../types.ts';

/** Distance factor on the CONF FULL distance without autobrake (QRH rev 36, first table). */
export const factors: [string, string, number][] = [
  ['SEC_1_2', 'FULL', 1.1],
  ['SEC_1_2_3', '3', 1.4],
  ['FLAPS_SLATS_ZERO', 'FULL', 1.7],
  ['FLAPS_LT1_SLATS_LT1', '3', 1.6],
  ['FLAPS_LT1_SLATS_GE1', '3', 1.35],
  ['FLAPS_1_2_SLATS_LT1', '3', 1.4],
  ['FLAPS_1_2_SLATS_GE1', '3', 1.2],
  ['FLAPS_2_3_SLATS_LT1', '3', 1.35],
  ['FLAPS_2_3_SLATS_GE1', '3', 1.15],
  ['FLAPS_3_SLATS_LT1', '3', 1.35],
  ['FLAPS_3_SLATS_1_3', '3', 1.15],
  ['FLAPS_3_SLATS_GT3', '3', 1.1],
  ['FLAPS_GT3_SLATS_1_3', 'FULL', 1.15],
  ['FLAPS_GT3_SLATS_GT3', 'FULL', 1.1],
  ['HYD_ONE', 'FULL', 1.1],
  ['HYD_G_B', '3', 1.5],
  ['HYD_G_Y', '3', 2.3],
  ['HYD_Y_B', 'FULL', 1.1],
  ['ANTISKID', 'FULL', 1.4],
  ['AUTOBRAKE', 'FULL', 1.2],
  ['IR_1_2_3', '3', 2.1],
  ['DUAL_ADR', '3', 1.2],
  ['REVERSER_UNLOCKED_BUFFET', '3', 1.2],
  ['REVERSER_UNLOCKED_CONF_1', 'FULL', 1.75],
];
const plain = { flap: 'FULL', reversers: 0, autobrake: 'MAN' };
const manualDistance = (profile: AircraftProfile, input: ReturnType<typeof inflightCase>): number =>
  valueAt(calculateLine(profile, input), 'modes.MAN.actualDistanceM') ?? Number.NaN;

export const factorPoints: Point[] = factors.map(([value, flap, factor]) => ({
  group: 'non-normal factors, dry',
  name: value,
  expected: factor,
  error: 'percent' as const,
  weight: 1,
  evaluate: (profile: AircraftProfile) =>
    manualDistance(profile, inflightCase(64_000, 6, { ...plain, flap, nonNormalCondition: value })) /
    manualDistance(profile, inflightCase(64_000, 6, plain)),
}));
