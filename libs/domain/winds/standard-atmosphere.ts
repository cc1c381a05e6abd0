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

const seaLevelHpa = 1013.25;
const seaLevelKelvin = 288.15;
const kelvinAt0c = 273.15;
const lapseKPerFt = 0.0019812;
/** Feet of pressure altitude at a pressure of zero, were the troposphere endless. */
const scaleFt = 145_442.15;
/** Density falls with this power of the temperature, less one. */
const densityExponent = 0.234969;

/** Pressure altitude in feet of an altitude on QNH, as an altimeter shows it. */
export const pressureAltitudeOn = (altitudeFt: number, qnhHpa: number): number =>
  altitudeFt + pressureAltitudeFt(qnhHpa);

/** Degrees C above the standard atmosphere at a pressure altitude in the troposphere. */
export const isaDeviationC = (temperatureC: number, pressureAltFt: number): number =>
  temperatureC + kelvinAt0c - (seaLevelKelvin - lapseKPerFt * pressureAltFt);

/** Altitude in feet at which the standard atmosphere has the density of dry air of this temperature. */
export const densityAltitudeFt = (temperatureC: number, pressureAltFt: number): number => {
  const ratio = flightLevelPressureHpa(pressureAltFt / 100) / seaLevelHpa;
  return scaleFt * (1 - ((ratio * seaLevelKelvin) / (temperatureC + kelvinAt0c)) ** densityExponent);
};
