import type { LengthWorth } from '#domain/aircraft/profile-takeoff.ts';
import { largest } from '../kernel/search.ts';

/** Shortest length at which the published corrections begin, km; below it they stay proportional to length. */
const leastKm = 1.2;

const change = ([a, b]: readonly [number, number], lengthM: number): number => {
  const km = lengthM / 1000;
  return km >= leastKm ? a + b * km : ((a + b * leastKm) * km) / leastKm;
};

const gain = (law: readonly [number, number], lengthM: number): number => Math.max(0, change(law, lengthM));
const loss = (law: readonly [number, number], lengthM: number): number => Math.min(0, change(law, lengthM));

/**
 * Length (m) of a level runway without wind that is worth as much as a runway with this slope (1 = 100 %, positive uphill)
 * and reported headwind (kt): slope first, then wind, as in dispatch tables. These tables are for the reported wind and
 * already contain the factors 50 % and 150 %.
 */
export const levelCalmLength = (
  worth: LengthWorth,
  lengthM: number,
  slope: number,
  headwindKt: number,
): number => {
  const percent = slope * 100;
  const level =
    lengthM +
    (percent > 0 ? percent * loss(worth.uphill, lengthM) : -percent * gain(worth.downhill, lengthM));
  const calm =
    level +
    (headwindKt > 0 ? headwindKt * gain(worth.headwind, level) : -headwindKt * loss(worth.tailwind, level));
  return Math.max(0, calm);
};

/** Actual runway length (m) equivalent to a level, calm one: the inverse of `levelCalmLength`. */
export const lengthOfLevelCalm = (
  worth: LengthWorth,
  levelCalmM: number,
  slope: number,
  headwindKt: number,
): number => {
  if ((slope === 0 && headwindKt === 0) || !Number.isFinite(levelCalmM)) return levelCalmM;
  const most = 10 * levelCalmM + 1000;
  return (
    largest(0, most, (lengthM) => levelCalmLength(worth, lengthM, slope, headwindKt) <= levelCalmM, 0.1) ?? 0
  );
};
