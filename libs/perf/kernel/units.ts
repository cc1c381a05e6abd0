/** Conversion factors to SI, for the edges only: command line, wire format, profile energies. */
export const metresPerFoot = 0.3048;
export const metresPerKft = 304.8;
export const mpsPerKnot = 1852 / 3600;
export const kgPerLb = 0.45359237;
export const paPerHpa = 100;
export const paPerInhg = 3386.389;
export const metresPerInch = 0.0254;
export const kelvinAt0c = 273.15;
/** Brake charts use million foot-pounds. */
export const joulesPerMftlb = 1.3558179483e6;

export const gravity = 9.80665;

export const ktToMps = (kt: number): number => kt * mpsPerKnot;
export const mpsToKt = (mps: number): number => mps / mpsPerKnot;
export const ftToM = (ft: number): number => ft * metresPerFoot;
export const mToFt = (m: number): number => m / metresPerFoot;
