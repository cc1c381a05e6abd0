/** Units of the 737-800 sources, and the interpretation of its card. */
export const metresPerFt = 0.3048;
export const kgPerKlb = 453.59237;

/**
 * The card's header states 1 % downhill without saying whether the rows contain it. Read as level, the fit
 * gives airplane braking coefficients near 0.2, 0.1 and 0.05 for good, medium and poor, the manufacturer's
 * values, and half the residual; so the rows are read as level.
 */
export const assumedSlopePercent = 0;
