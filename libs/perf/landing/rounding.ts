import { mToFt } from '../kernel/units.ts';
import type { LandingCase, Speeds } from './types.ts';

/** A number with this many decimals; plus zero, so that nothing is -0. */
export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits)) + 0;

/** Whole knots, up; plus zero, so that nothing is -0. */
export const wholeKt = (kt: number): number => Math.ceil(kt - 1e-6) + 0;

/** The approach speed as answers and cautions show it: whole VREF plus whole additive. */
export const shownVappKt = ({ vRefKt, additiveKt }: Speeds): number => wholeKt(vRefKt) + wholeKt(additiveKt);

/** Widths are published in whole feet: 98 ft are a runway of 30 m. */
export const isNarrower = (widthM: number, minimumM: number): boolean =>
  Math.round(mToFt(widthM)) < Math.round(mToFt(minimumM));

/** Percent of a gradient as answers and cautions show it; limits are compared with what is shown. */
export const shownPercent = (percent: number): number => Number(percent.toFixed(2)) + 0;

/** Landing distance available (m) that distances are compared with: the number that the user sees. */
export const comparedLdaM = ({ runway }: LandingCase): number => runway.shownLdaM ?? runway.ldaM;
