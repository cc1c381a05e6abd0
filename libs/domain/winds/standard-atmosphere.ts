/**
 * Pressure in hPa of a flight level in the ICAO standard atmosphere. A flight level is by definition a pressure
 * surface, independent of QNH and geopotential height. Valid to 65,617 ft.
 */
export const flightLevelPressureHpa = (flightLevel: number): number => {
  const feet = flightLevel * 100;
  if (feet <= tropopauseFt) return 1013.25 * (1 - 6.8755856e-6 * feet) ** 5.2558797;
  return 226.3206 * Math.exp(-(feet - tropopauseFt) / 20805.8);
};

/** Altitude in feet of a pressure in the ICAO standard atmosphere; the inverse of the above. */
export const pressureAltitudeFt = (pressureHpa: number): number =>
  pressureHpa > 226.3206
    ? (1 - (pressureHpa / 1013.25) ** (1 / 5.2558797)) / 6.8755856e-6
    : tropopauseFt + 20805.8 * Math.log(226.3206 / pressureHpa);

const tropopauseFt = 36089.24;

export const standardQnhHpa = 1013.25;
const seaLevelKelvin = 288.15;
export const kelvinAt0c = 273.15;
const lapseKPerFt = 0.0019812;
/** Pressure altitude in feet where pressure would be zero if the troposphere were endless. */
const scaleFt = 145_442.15;
/** In the troposphere, the temperature is proportional to the density to this power. */
const densityExponent = 0.234969;

/** Pressure altitude in feet for an altitude indicated on this QNH. */
export const pressureAltitudeOn = (altitudeFt: number, qnhHpa: number): number =>
  altitudeFt + pressureAltitudeFt(qnhHpa);

/** ISA deviation in degrees C at a pressure altitude within the troposphere. */
export const isaDeviationC = (temperatureC: number, pressureAltFt: number): number =>
  temperatureC + kelvinAt0c - (seaLevelKelvin - lapseKPerFt * pressureAltFt);

/** Density altitude in feet: where the standard atmosphere has the density of dry air at this temperature. */
export const densityAltitudeFt = (temperatureC: number, pressureAltFt: number): number => {
  const ratio = flightLevelPressureHpa(pressureAltFt / 100) / standardQnhHpa;
  return scaleFt * (1 - ((ratio * seaLevelKelvin) / (temperatureC + kelvinAt0c)) ** densityExponent);
};
