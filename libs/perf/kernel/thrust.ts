import { leastThrustShare } from './constants.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { Atmosphere } from './atmosphere.ts';
import { metresPerKft } from './units.ts';

/** Parameters of a thrust law that depends on pressure and temperature. */
type ThrustLaw = Pick<
  AircraftProfile['thrust'],
  | 'goAroundStaticPerEngineN'
  | 'flatRatedToIsaPlusC'
  | 'lapsePerC'
  | 'kinkShiftCPerKft'
  | 'partialLapsePerC'
  | 'deltaExponent'
> & { deltaCurve?: number };

/**
 * Go-around thrust of one engine (N): flat rated up to ISA + `flatRatedToIsaPlusC`, then a partial lapse up to a kink
 * that depends on altitude, then the full lapse; times a power of the pressure ratio.
 */
export const goAroundThrust = (thrust: ThrustLaw, air: Atmosphere): number => {
  const above = Math.max(0, air.isaDeviationK - thrust.flatRatedToIsaPlusC);
  const kinkShiftC = (thrust.kinkShiftCPerKft * air.pressureAltitudeM) / metresPerKft;
  const partial = Math.min(above, Math.max(0, kinkShiftC));
  const exponent = thrust.deltaExponent + (thrust.deltaCurve ?? 0) * Math.log(air.delta);
  const ratio = 1 - thrust.partialLapsePerC * partial - thrust.lapsePerC * (above - partial);
  return thrust.goAroundStaticPerEngineN * Math.max(leastThrustShare, ratio) * air.delta ** exponent;
};
