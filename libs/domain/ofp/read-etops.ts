/** The ETOPS segment of a plan. */
import type { Cursor } from './cursor.ts';
import { ranges } from './ranges.ts';
import { readAirport, readSuitableAirports } from './read-airport.ts';
import type { OfpEtops } from './schema-parts.ts';

type Point = NonNullable<OfpEtops['entry']>;

const maxPoints = 20;
const maxDiversions = 10;

const readPoint = (point: Cursor): Point | null =>
  point.isEmpty
    ? null
    : {
        airport: point.text(10, 'icao_code')?.toUpperCase() ?? null,
        latitude: point.number(ranges.latitude, 'pos_lat_fix', 'pos_lat'),
        longitude: point.number(ranges.longitude, 'pos_long_fix', 'pos_long'),
        elapsedSeconds: point.seconds(ranges.seconds, 'elapsed_time'),
        minimumFuel: point.number(ranges.weight, 'min_fob'),
        plannedFuel: point.number(ranges.weight, 'est_fob'),
        criticalFuel: point.number(ranges.weight, 'critical_fuel'),
        condition: point.text(60, 'etops_condition'),
        diversions: point
          .each('div_airport')
          .slice(0, maxDiversions)
          .map((airport) => ({
            icao: airport.text(10, 'icao_code')?.toUpperCase() ?? null,
            distanceNm: airport.number(ranges.distanceNm, 'distance'),
            trackTrueDeg: airport.number(ranges.degrees, 'track_true'),
            windComponentKt: airport.number(ranges.componentKt, 'avg_wind_comp'),
          })),
      };

/** Null when the plan has none. */
export const readEtops = (plan: Cursor, generatedAt: string | null): OfpEtops | null => {
  const etops = plan.at('etops');
  if (etops.isEmpty) return null;
  return {
    ruleMinutes: etops.integer(ranges.minutes, 'rule'),
    entry: readPoint(etops.at('entry')),
    exit: readPoint(etops.at('exit')),
    equalTimePoints: etops
      .each('equal_time_point')
      .slice(0, maxPoints)
      .flatMap((point) => readPoint(point) ?? []),
    criticalPoint: readPoint(etops.at('critical_point')),
    airports: readSuitableAirports(plan, (airport, reports) => ({
      ...readAirport(airport, reports, generatedAt),
      suitableFrom: airport.time('suitability_start'),
      suitableTo: airport.time('suitability_end'),
    })),
  };
};
