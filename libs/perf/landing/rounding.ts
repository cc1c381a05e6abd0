import { mToFt } from '../kernel/units.ts';
import type { LandingCase, Speeds } from './types.ts';

/** Rounded to this many decimals; adding zero avoids -0. */
export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits)) + 0;

/** Rounded up to whole knots; adding zero avoids -0. */
export const wholeKt = (kt: number): number => Math.ceil(kt - 1e-6) + 0;

/** The approach speed as answers and cautions show it: VREF and additive, each in whole knots. */
export const shownVappKt = ({ vRefKt, additiveKt }: Speeds): number => wholeKt(vRefKt) + wholeKt(additiveKt);

/** Widths are published in whole feet: a 30 m runway is listed as 98 ft. */
export const isNarrower = (widthM: number, minimumM: number): boolean =>
  Math.round(mToFt(widthM)) < Math.round(mToFt(minimumM));

/** The gradient (percent) as shown, which is what limits are compared with. */
export const shownPercent = (percent: number): number => rounded(percent, 2);

/** The LDA (m) as shown, which is what distances are compared with. */
export const comparedLdaM = ({ runway }: LandingCase): number => runway.shownLdaM ?? runway.ldaM;
