const hpaPerInhg = 33.8639;

/**
 * Whole hPa of an altimeter setting in inches of mercury, rounded down because QNH is rounded down by rule:
 * 29.92 gives 1013, 29.79 gives 1008, 30.01 gives 1016.
 */
export const hpaFromInHg = (inHg: number): number => Math.floor(inHg * hpaPerInhg);

/** Inches of mercury with two decimals, the nearest to a QNH in hPa. */
export const inHgFromHpa = (hpa: number): number => Math.round((hpa / hpaPerInhg) * 100) / 100;
