/** Published weight losses on wet and contaminated runways, by the dry field limit weight. */
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { TakeoffPerformance } from '#domain/aircraft/profile-takeoff.ts';
import { reverserWeightShare, wetUpToMm } from '../kernel/constants.ts';
import { linear } from '../kernel/interpolate.ts';
import { gravity, mToFt } from '../kernel/units.ts';
import type { Machine, Surface } from './machine.ts';
import type { TakeoffCase } from './types.ts';

type LossRow = NonNullable<TakeoffPerformance['contaminated']>['losses'][number];

/** Weight loss against the dry field limit W: the larger of `leastKg` and `fixedKg` + `share` of W. */
export interface Loss {
  isWet: boolean;
  leastKg: number;
  fixedKg: number;
  share: number;
}

/** Dry field limit weight (kg) that a takeoff weight on the actual surface requires. */
export const dryEquivalentKg = ({ leastKg, fixedKg, share }: Loss, takeoffKg: number): number =>
  Math.max(takeoffKg + leastKg, (takeoffKg + fixedKg) / (1 - share));

/**
 * Weight loss on a level, calm length (m): interpolated between published depths; between wet and the least depth, that of the least
 * depth. It includes reverse thrust, so inoperative reversers cost extra.
 */
export const lossOf = (
  { weight }: Pick<AircraftProfile, 'weight'>,
  { model, air }: Machine,
  { state, depthM }: TakeoffCase['condition'],
  levelM: number,
  { lostReverseN, referenceMu }: Surface,
): Loss | null => {
  const rowsOf = (of: string): LossRow[] =>
    (model.contaminated?.losses ?? []).filter(({ states }) => states.includes(of));
  const own = rowsOf(state);
  const depthMm = depthM * 1000;
  const isWet = state === 'WET' || (depthMm <= wetUpToMm && depthMm < (own[0]?.depthMm ?? 0));
  const rows = isWet ? rowsOf('WET') : own;
  const [first] = rows;
  if (!first) return null;
  const at = (of: (row: LossRow) => number): number => {
    const points = rows.map((row): [number, number] => [row.depthMm, of(row)]);
    return points.length === 1 ? of(first) : linear(points, Math.max(first.depthMm, depthMm), true);
  };
  const kft = mToFt(Math.max(0, air.pressureAltitudeM)) / 1000;
  const lostKg = (reverserWeightShare * lostReverseN) / (gravity * referenceMu);
  const leastKg = lostKg + weight.mstow * at(({ perKft }) => perKft * kft);
  return {
    isWet,
    leastKg,
    fixedKg: leastKg + weight.mstow * at(({ fixed }) => fixed),
    share: at(({ share: [a, b] }) => Math.max(0, a + (b * levelM) / 1000)),
  };
};
