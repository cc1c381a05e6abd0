/** Wind against the limits of a type, at a landing and at a takeoff. */
import type { WindLimitProfile } from '#domain/aircraft/profile.ts';
import type { Caution } from './caution-codes.ts';

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

type WindCode = 'TAILWIND_LIMIT' | 'HEADWIND_LIMIT' | 'CROSSWIND_LIMIT' | 'CROSSWIND_LIMIT_INCREASED';
type WindCaution = Extract<Caution, { code: WindCode }>;

/** Cautions of a wind; `isRaised` says whether every condition holds under which a crosswind limit is raised. */
export const windCautions = (
  windLimit: WindLimitProfile,
  { headwindKt, crosswindKt }: Along,
  rwycc: number,
  isRaised: (row: CrosswindRow) => boolean,
): WindCaution[] => {
  const list: WindCaution[] = [];
  const { tailwind, headwind } = windLimit;
  const tailwindKt = -headwindKt;
  if (tailwindKt > tailwind + windSlackKt)
    list.push({ code: 'TAILWIND_LIMIT', severity: 'warning', params: { tailwindKt, limitKt: tailwind } });
  if (headwindKt > headwind + windSlackKt)
    list.push({ code: 'HEADWIND_LIMIT', severity: 'warning', params: { headwindKt, limitKt: headwind } });
  const row = windLimit.crosswindLimitsPerRunwayConditions.find((entry) =>
    entry.rwycc.some((code) => code === rwycc),
  );
  if (!row || crosswindKt <= row.windLimit + windSlackKt) return list;
  const raisedLimitKt = row.increaseableWindLimitValue ?? row.windLimit;
  const limitKt = row.windLimit;
  if (isRaised(row) && crosswindKt <= raisedLimitKt + windSlackKt) {
    const params = { crosswindKt, limitKt, raisedLimitKt, rule: row.increaseableWindLimitText ?? '' };
    list.push({ code: 'CROSSWIND_LIMIT_INCREASED', severity: 'advisory', params });
  } else list.push({ code: 'CROSSWIND_LIMIT', severity: 'warning', params: { crosswindKt, limitKt } });
  return list;
};
