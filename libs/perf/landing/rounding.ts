import type { LandingCase, Speeds } from './types.ts';

/** Whole knots, up; plus zero, so that nothing is -0. */
export const wholeKt = (kt: number): number => Math.ceil(kt - 1e-6) + 0;

/** The approach speed as answers and cautions show it: whole VREF plus whole additive. */
export const shownVappKt = ({ vRefKt, additiveKt }: Speeds): number => wholeKt(vRefKt) + wholeKt(additiveKt);

/** Landing distance available (m) that distances are compared with: the number that the user sees. */
export const comparedLdaM = ({ runway }: LandingCase): number => runway.shownLdaM ?? runway.ldaM;
