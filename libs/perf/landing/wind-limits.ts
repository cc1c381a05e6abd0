/** Compares winds with a type's limits, for landings, takeoffs and warnings of an import. */
import type { WindLimitProfile } from '#domain/aircraft/profile.ts';
import type { Cautions } from './caution-codes.ts';
import { mpsToKt } from '../kernel/units.ts';
import { isNarrower } from './rounding.ts';
import type { Weather } from './types.ts';

/** Winds are stated to a tenth of a knot; a smaller difference is not an excess. */
const windSlackKt = 0.05;

type CrosswindRow = WindLimitProfile['crosswindLimitsPerRunwayConditions'][number];

/** Knots compared with limits: the strongest wind from each side. */
export interface LimitingWind {
  headwindKt: number;
  tailwindKt: number;
  crosswindKt: number;
}

/** Includes gusts and the worst of the other winds along the runway. */
export const limitingWind = ({
  headwindMps,
  crosswindMps = 0,
  gust = { headwindMps, crosswindMps },
  maxHeadwindMps = 0,
  maxTailwindMps = 0,
}: Weather): LimitingWind => ({
  tailwindKt: mpsToKt(Math.max(-headwindMps, -gust.headwindMps, maxTailwindMps)),
  headwindKt: mpsToKt(Math.max(headwindMps, gust.headwindMps, maxHeadwindMps)),
  crosswindKt: mpsToKt(Math.max(crosswindMps, gust.crosswindMps)),
});

/** Conditions that raise a crosswind limit; an unknown one does not. */
export interface RaisedBy {
  widthM: number | null | undefined;
  /** Landing distance or takeoff run available. */
  lengthM: number;
  cgPercent: number | null | undefined;
  hasFlap: (least: string) => boolean;
}

const isRaised = (row: CrosswindRow, { widthM, lengthM, cgPercent, hasFlap }: RaisedBy): boolean => {
  const { increaseableWindLimitFwdCG: forward, increaseableWindLimitAftCG: aft } = row;
  const leastFlap = row.increaseableWindLimitRunwayMinimumFlaps;
  return (
    row.increaseableWindLimit &&
    !isNarrower(widthM ?? 0, row.increaseableWindLimitRunwayWidth ?? 0) &&
    (forward === null || (cgPercent ?? -Infinity) >= forward) &&
    (aft === null || (cgPercent ?? Infinity) <= aft) &&
    lengthM > (row.increaseableWindLimitLdaAboveM ?? 0) &&
    (leastFlap === null || hasFlap(leastFlap))
  );
};

/** Adds a caution for every limit that the wind exceeds. */
export const windCautions = (
  windLimit: WindLimitProfile,
  { tailwindKt, headwindKt, crosswindKt }: LimitingWind,
  rwycc: number,
  raisedBy: RaisedBy,
  { add }: Pick<Cautions, 'add'>,
): void => {
  const { tailwind, headwind } = windLimit;
  if (tailwindKt > tailwind + windSlackKt)
    add('TAILWIND_LIMIT', 'warning', { tailwindKt, limitKt: tailwind });
  if (headwindKt > headwind + windSlackKt)
    add('HEADWIND_LIMIT', 'warning', { headwindKt, limitKt: headwind });
  const row = windLimit.crosswindLimitsPerRunwayConditions.find((entry) =>
    entry.rwycc.some((code) => code === rwycc),
  );
  if (!row || crosswindKt <= row.windLimit + windSlackKt) return;
  const raisedLimitKt = row.increaseableWindLimitValue ?? row.windLimit;
  const limits = { crosswindKt, limitKt: row.windLimit };
  if (isRaised(row, raisedBy) && crosswindKt <= raisedLimitKt + windSlackKt)
    add('CROSSWIND_LIMIT_INCREASED', 'advisory', {
      ...limits,
      raisedLimitKt,
      rule: row.increaseableWindLimitText ?? '',
    });
  else add('CROSSWIND_LIMIT', 'warning', limits);
};
