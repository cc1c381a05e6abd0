/** Wind against the limits of a type, at a landing and at a takeoff. */
import type { WindLimitProfile } from '#domain/aircraft/profile.ts';
import type { Cautions } from './caution-codes.ts';

/** A wind is stated to the tenth of a knot; less than that does not exceed a limit. */
const windSlackKt = 0.05;

export type CrosswindRow = WindLimitProfile['crosswindLimitsPerRunwayConditions'][number];

interface Along {
  headwindKt: number;
  crosswindKt: number;
}

/** Knots that limits are compared with: gusts count, but not those that reduce a tailwind. */
export const limitingWind = (steady: Along, gust: Along = steady): Along => ({
  headwindKt:
    steady.headwindKt < 0
      ? Math.min(steady.headwindKt, gust.headwindKt)
      : Math.max(steady.headwindKt, gust.headwindKt),
  crosswindKt: Math.max(steady.crosswindKt, gust.crosswindKt),
});

/** Adds cautions of a wind; `isRaised` says whether every condition holds under which a crosswind limit is raised. */
export const windCautions = (
  windLimit: WindLimitProfile,
  { headwindKt, crosswindKt }: Along,
  rwycc: number,
  isRaised: (row: CrosswindRow) => boolean,
  { add }: Cautions,
): void => {
  const { tailwind, headwind } = windLimit;
  const tailwindKt = -headwindKt;
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
  if (isRaised(row) && crosswindKt <= raisedLimitKt + windSlackKt)
    add('CROSSWIND_LIMIT_INCREASED', 'advisory', {
      ...limits,
      raisedLimitKt,
      rule: row.increaseableWindLimitText ?? '',
    });
  else add('CROSSWIND_LIMIT', 'warning', limits);
};
