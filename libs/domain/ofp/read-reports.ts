/** Takeoff and landing reports, and the impact of other levels, cost indices and weights. */
import type { Cursor } from './cursor.ts';
import { ranges } from './ranges.ts';
import type { OfpLandingDistance } from './schema-parts.ts';
import type { NormalizedOfp, OfpLandingReport, OfpReport } from './schema.ts';

const maxRunways = 40;

const readRunway = (runway: Cursor): OfpReport['runways'][number] => ({
  runway: runway.text(20, 'identifier', 'runway', 'ident'),
  lengthFt: runway.number(ranges.lengthFt, 'length_lda', 'length_tora', 'length'),
  headwindKt: runway.number(ranges.componentKt, 'headwind_component'),
  crosswindKt: runway.number(ranges.componentKt, 'crosswind_component'),
  flap: runway.text(40, 'flap_setting'),
  thrust: runway.text(40, 'thrust_setting'),
  bleed: runway.text(40, 'bleed_setting'),
  antiIce: runway.text(40, 'anti_ice_setting'),
  flexTemperatureC: runway.number({ min: -80, max: 120 }, 'flex_temperature'),
  maxWeight: runway.number(ranges.weight, 'max_weight', 'max_weight_dry'),
  limit: runway.text(40, 'limit_code'),
  v1: runway.integer(ranges.speedKt, 'speeds_v1', 'v1'),
  vr: runway.integer(ranges.speedKt, 'speeds_vr', 'vr'),
  v2: runway.integer(ranges.speedKt, 'speeds_v2', 'v2'),
});

/** Null if the plan has none. */
export const readReport = (report: Cursor): OfpReport | null => {
  if (report.isEmpty) return null;
  const conditions = report.at('conditions');
  return {
    conditions: {
      airport: conditions.text(10, 'airport_icao'),
      runway: conditions.text(20, 'planned_runway'),
      weight: conditions.number(ranges.weight, 'planned_weight'),
      windDirectionDeg: conditions.number(ranges.degrees, 'wind_direction'),
      windKt: conditions.number(ranges.windKt, 'wind_speed'),
      temperatureC: conditions.number(ranges.temperatureC, 'temperature'),
      altimeterInHg: conditions.number(ranges.inHg, 'altimeter'),
      surface: conditions.text(40, 'surface_condition'),
      flap: conditions.text(40, 'flap_setting'),
    },
    runways: report.each('runway').slice(0, maxRunways).map(readRunway),
  };
};

const readDistance = (distance: Cursor): OfpLandingDistance =>
  distance.isEmpty
    ? null
    : {
        weight: distance.number(ranges.weight, 'weight'),
        flap: distance.text(40, 'flap_setting'),
        brakes: distance.text(40, 'brake_setting'),
        hasReverserCredit: distance.flag('reverser_credit'),
        vrefKt: distance.integer(ranges.speedKt, 'speeds_vref'),
        actualFt: distance.number(ranges.lengthFt, 'actual_distance'),
        factoredFt: distance.number(ranges.lengthFt, 'factored_distance'),
      };

/** Null if the plan has none. */
export const readLandingReport = (report: Cursor): OfpLandingReport | null => {
  const read = readReport(report);
  return (
    read && {
      ...read,
      distanceDry: readDistance(report.at('distance_dry')),
      distanceWet: readDistance(report.at('distance_wet')),
    }
  );
};

const impactNames = [
  'minus_6000ft',
  'minus_4000ft',
  'minus_2000ft',
  'plus_2000ft',
  'plus_4000ft',
  'plus_6000ft',
  'higher_ci',
  'lower_ci',
  'zfw_plus_1000',
  'zfw_minus_1000',
] as const;

export const readImpacts = (impacts: Cursor): NormalizedOfp['impacts'] =>
  impactNames.flatMap((name) => {
    const impact = impacts.at(name);
    if (impact.isEmpty) return [];
    return [
      {
        name,
        timeSeconds: impact.seconds(ranges.secondsChange, 'time_difference'),
        burn: impact.number(ranges.weightChange, 'burn_difference'),
        rampFuel: impact.number(ranges.weight, 'ramp_fuel'),
      },
    ];
  });
