import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { Atmosphere } from './atmosphere.ts';

const metresPerKft = 304.8;

/** Parameters of a thrust law that depends on pressure and temperature. */
export type ThrustLaw = Pick<
  AircraftProfile['thrust'],
  | 'goAroundStaticPerEngineN'
  | 'flatRatedToIsaPlusC'
  | 'lapsePerC'
  | 'kinkShiftCPerKft'
  | 'partialLapsePerC'
  | 'deltaExponent'
>;

/**
 * Go-around thrust of one engine (N): flat rated up to ISA + `flatRatedToIsaPlusC`, then a partial lapse up to a kink
 * that moves with altitude, then the full lapse; pressure ratio to a power.
 */
export const goAroundThrust = (thrust: ThrustLaw, air: Atmosphere): number => {
  const above = Math.max(0, air.isaDeviationK - thrust.flatRatedToIsaPlusC);
  const shift = Math.max(0, (thrust.kinkShiftCPerKft * air.pressureAltitudeM) / metresPerKft);
  const partial = Math.min(above, shift);
  const ratio = 1 - thrust.partialLapsePerC * partial - thrust.lapsePerC * (above - partial);
  return thrust.goAroundStaticPerEngineN * Math.max(0.05, ratio) * air.delta ** thrust.deltaExponent;
};
