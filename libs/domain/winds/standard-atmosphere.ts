/**
 * Pressure in hPa of a flight level in the ICAO standard atmosphere. A flight level is a pressure surface by
 * definition, so neither QNH nor geopotential height matters. Valid to 65,617 ft.
 */
export const flightLevelPressureHpa = (flightLevel: number): number => {
  const feet = flightLevel * 100;
  if (feet <= tropopauseFt) return 1013.25 * (1 - 6.8755856e-6 * feet) ** 5.2558797;
  return 226.3206 * Math.exp(-(feet - tropopauseFt) / 20805.8);
};

/** Altitude in feet of a pressure in the ICAO standard atmosphere, the inverse of the above. */
export const pressureAltitudeFt = (pressureHpa: number): number =>
  pressureHpa > 226.3206
    ? (1 - (pressureHpa / 1013.25) ** (1 / 5.2558797)) / 6.8755856e-6
    : tropopauseFt + 20805.8 * Math.log(226.3206 / pressureHpa);

const tropopauseFt = 36089.24;
