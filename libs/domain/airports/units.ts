/** Rounds airport data for storage, so that an unchanged source gives unchanged rows. */
export const feetToMetres = (feet: number): number => Math.round(feet * 3.048) / 10;

export const round = (value: number, decimals: number): number => {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
};

/** Six decimals are 0.1 m. */
export const roundDegrees = (value: number): number => round(value, 6);
