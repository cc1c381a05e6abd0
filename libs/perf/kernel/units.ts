/** Conversion factors to SI. Used at the edges only: command line, wire format, profile energies. */
export const METRES_PER_FOOT = 0.3048;
export const MPS_PER_KNOT = 1852 / 3600;
export const KG_PER_LB = 0.45359237;
export const PA_PER_HPA = 100;
export const PA_PER_INHG = 3386.389;
export const METRES_PER_INCH = 0.0254;
export const KELVIN_AT_0C = 273.15;
/** Brake charts are in million foot-pounds force. */
export const JOULES_PER_MFTLB = 1.3558179483e6;

export const GRAVITY = 9.80665;

export const ktToMps = (kt: number): number => kt * MPS_PER_KNOT;
export const mpsToKt = (mps: number): number => mps / MPS_PER_KNOT;
export const ftToM = (ft: number): number => ft * METRES_PER_FOOT;
export const mToFt = (m: number): number => m / METRES_PER_FOOT;
