/**
 * Numbers of the engine that no profile sets and more than one module uses, or whose origin is not plain from their name. Each says
 * whether it has a source, is fitted to published figures, or is an assumption; units and conversions are in `units.ts`.
 */

/** Source: ICAO Doc 7488, standard atmosphere at sea level. */
export const seaLevelDensityKgM3 = 1.225;
export const seaLevelKelvin = 288.15;
export const seaLevelPa = 101_325;
export const lapseKPerM = 0.0065;

/** Source: the same, as ratio of pressures by altitude in m and its inverse; the scale is published as 145442.15 ft. */
export const pressureLapsePerM = 2.25577e-5;
export const pressureExponent = 5.2559;
export const altitudeScaleM = 145_442.15 * 0.3048;
export const altitudeExponent = 0.190263;

/** Assumption: at or below this temperature ice forms in what is moist, as flight manuals define icing conditions. */
export const icingAtOrBelowC = 10;

/** Source: the specification, 1013 hPa where a request has no QNH. */
export const silentQnhPa = 101_300;

/** Source: AMC 25.1591, drag coefficient of a tire in fluid. */
export const fluidCd = 0.75;
/** Source: AMC 25.1591, decay of that drag beyond the aquaplaning speed, a power of the ratio of speeds. */
export const planingDecay = 4;
/** Source: AC 25-32, a quarter of an inch; deeper fluid gets no more credit in a landing. */
export const mostCreditedDepthM = 0.0063;
/** Source: RCAM, fluid or snow up to this depth is a wet runway. */
export const wetUpToMm = 3;

/** Fitted: retarding force that an inoperative reverser takes, of static thrust; fits to field limits do not tell it from friction. */
export const reverserForceShare = 0.14;
/** Fitted with it to 850 kg on a wet runway: that force over the weight that it costs, times the braking coefficient. */
export const reverserWeightShare = 0.1;

/** Source: 14 CFR/CS 25.113 and 25.115, screens of 35 ft dry and 15 ft wet, and the factor on distances with all engines. */
export const dryScreenM = 10.668;
export const wetScreenM = 4.572;
export const allEngineFactor = 1.15;

/** Assumption: a roll that decelerates by less than this (m/s2) does not end on a runway. */
export const leastDecelerationMps2 = 0.02;
/** Assumption: a takeoff that accelerates by less than this (m/s2) does not reach its speed. */
export const leastAccelerationMps2 = 0.05;
/** Assumption: thrust of an engine beyond its temperature range is no less than this share of its rating. */
export const leastThrustShare = 0.05;

/** Assumption: empty weights differ by tail, so a weight of this share of the profile's is calculated and not refused. */
export const leastOewShare = 0.85;
