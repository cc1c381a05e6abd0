/**
 * Constants of the engine that no profile sets and that several modules use or whose origin is not obvious. Each is
 * sourced, fitted to published figures, or an assumption; unit conversions are in `units.ts`.
 */

/** Source: ICAO Doc 7488, standard atmosphere at sea level. */
export const seaLevelDensityKgM3 = 1.225;
export const seaLevelKelvin = 288.15;
export const seaLevelPa = 101_325;
export const lapseKPerM = 0.0065;

/** Source: the same; pressure ratio by altitude in m, and its inverse. The scale is published as 145442.15 ft. */
export const pressureLapsePerM = 2.25577e-5;
export const pressureExponent = 5.2559;
export const altitudeScaleM = 145_442.15 * 0.3048;
export const altitudeExponent = 0.190263;

/**
 * Assumption: visible moisture freezes at or below this temperature, the flight manuals' definition of icing
 * conditions.
 */
export const icingAtOrBelowC = 10;

/** Source: the specification; 1013 hPa if a request has no QNH. */
export const silentQnhPa = 101_300;

/** Source: AMC 25.1591, drag coefficient of a tire in fluid. */
export const fluidCd = 0.75;
/** Source: AMC 25.1591, decay of that drag above the aquaplaning speed, as a power of the speed ratio. */
export const planingDecay = 4;
/** Source: AC 25-32, a quarter of an inch; drag of deeper fluid is not credited in a landing. */
export const mostCreditedDepthM = 0.0063;
/** Source: RCAM; up to this depth, fluid or snow counts as a wet runway. */
export const wetUpToMm = 3;

/**
 * Fitted: retarding force lost with an inoperative reverser, as a share of static thrust; field limits alone cannot
 * separate it from friction.
 */
export const reverserForceShare = 0.14;
/**
 * Fitted together with `reverserForceShare` to a loss of 850 kg on a wet runway: force over weight loss, times the
 * braking coefficient.
 */
export const reverserWeightShare = 0.1;

/**
 * Source: 14 CFR/CS 25.113 and 25.115; screen heights of 35 ft dry and 15 ft wet, and the factor for all-engine
 * distances.
 */
export const dryScreenM = 10.668;
export const wetScreenM = 4.572;
export const allEngineFactor = 1.15;

/** Assumption: with less deceleration (m/s2), the aircraft does not stop on a runway. */
export const leastDecelerationMps2 = 0.02;
/** Assumption: with less acceleration (m/s2), the aircraft does not reach its takeoff speed. */
export const leastAccelerationMps2 = 0.05;
/** Assumption: outside its temperature range an engine keeps at least this share of its rating. */
export const leastThrustShare = 0.05;

/** Assumption: empty weights differ by tail, so weights down to this share of the profile's are calculated. */
export const leastOewShare = 0.85;
