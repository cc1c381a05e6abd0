import {
  altitudeExponent,
  altitudeScaleM,
  lapseKPerM,
  pressureExponent,
  pressureLapsePerM,
  seaLevelDensityKgM3,
  seaLevelKelvin,
  seaLevelPa,
} from './constants.ts';
import { kelvinAt0c } from './units.ts';

export interface Atmosphere {
  pressureAltitudeM: number;
  temperatureK: number;
  /** temperature above ISA at the pressure altitude, K */
  isaDeviationK: number;
  /** pressure over sea-level standard pressure */
  delta: number;
  /** density over sea-level standard density */
  sigma: number;
  densityKgM3: number;
  /** square root of sigma: EAS over TAS */
  rootSigma: number;
}

/** Pressure altitude (m) for an elevation (m) and a QNH (Pa). */
export const pressureAltitude = (elevationM: number, qnhPa: number): number =>
  elevationM + altitudeScaleM * (1 - (qnhPa / seaLevelPa) ** altitudeExponent);

/** ISA temperature (K) at a pressure altitude (m) in the troposphere. */
export const isaTemperature = (pressureAltitudeM: number): number =>
  seaLevelKelvin - lapseKPerM * pressureAltitudeM;

/** The air at a pressure altitude (m) and temperature (K). */
export const atmosphere = (pressureAltitudeM: number, temperatureK: number): Atmosphere => {
  const delta = (1 - pressureLapsePerM * pressureAltitudeM) ** pressureExponent;
  const sigma = (delta * seaLevelKelvin) / temperatureK;
  return {
    pressureAltitudeM,
    temperatureK,
    isaDeviationK: temperatureK - isaTemperature(pressureAltitudeM),
    delta,
    sigma,
    densityKgM3: seaLevelDensityKgM3 * sigma,
    rootSigma: Math.sqrt(sigma),
  };
};

/** The air `heightM` higher, with the same ISA deviation. */
export const aloft = (air: Atmosphere, heightM: number): Atmosphere => {
  const altitudeM = air.pressureAltitudeM + heightM;
  return atmosphere(altitudeM, isaTemperature(altitudeM) + air.isaDeviationK);
};

export const toKelvin = (celsius: number): number => celsius + kelvinAt0c;
export const toCelsius = (kelvin: number): number => kelvin - kelvinAt0c;
