/** Parts of a plan: airports, alternates, ETOPS segment, NOTAM, files. */
import { z } from 'zod';
import {
  added,
  block,
  code,
  derived,
  described,
  flag,
  integer,
  integerSchema,
  list,
  member,
  number,
  orNull,
  ranges,
  seconds,
  text,
  textSchema,
  time,
  within,
} from './members.ts';
import { timeOf } from './scalars.ts';

const maxReport = 4_000;

const airportMembers = {
  /** Planners also have airfields without four letters. */
  icao: code(10, 'icao_code', 'icaocode', 'icao', 'faa_code'),
  iata: code(10, 'iata_code', 'iata'),
  name: text(100, 'name'),
  elevationFt: number(ranges.altitudeFt, 'elevation'),
  latitude: number(ranges.latitude, 'pos_lat', 'latitude'),
  longitude: number(ranges.longitude, 'pos_long', 'pos_lon', 'longitude'),
  runway: member(
    textSchema,
    (airport) =>
      airport
        .text(10, 'plan_rwy', 'runway')
        ?.replace(/^RWY?\s*(?=\d)/i, '')
        .toUpperCase() ?? null,
  ),
  transitionAltitudeFt: integer(ranges.altitudeFt, 'trans_alt'),
  transitionLevelFt: integer(ranges.altitudeFt, 'trans_level'),
  metar: text(maxReport, 'metar', 'metar_raw'),
  metarTime: added(time('metar_time'), 'time of the report, ISO 8601; '),
  metarAgeMinutes: added(
    derived(integerSchema, null),
    'age of the report when the plan was generated, minutes; null: unknown; ',
  ),
  taf: text(maxReport, 'taf', 'taf_raw'),
  atis: list(
    20,
    (airport) => airport.each('atis'),
    block({
      network: text(40, 'network'),
      letter: text(10, 'letter'),
      type: text(40, 'type'),
      message: text(4_000, 'message'),
    }),
  ),
  notamCount: member(z.int(), (airport) => airport.each('notam').length),
};

export const ofpAirport = block(airportMembers);

export const ofpAlternate = block({
  ...airportMembers,
  distanceNm: number(ranges.distanceNm, 'distance', 'air_distance'),
  burn: number(ranges.weight, 'burn'),
  enrouteSeconds: seconds(ranges.seconds, 'ete'),
  route: text(2_000, 'route'),
  cruiseAltitudeFt: integer(ranges.altitudeFt, 'cruise_altitude'),
});

export const ofpSuitableAirport = block({
  ...airportMembers,
  suitableFrom: described(time('suitability_start'), 'ISO 8601'),
  suitableTo: described(time('suitability_end'), 'ISO 8601'),
});

const etopsPoint = block({
  airport: described(
    code(10, 'icao_code'),
    'ICAO code of the airport from which the segment is measured; null for other points',
  ),
  latitude: number(ranges.latitude, 'pos_lat_fix', 'pos_lat'),
  longitude: number(ranges.longitude, 'pos_long_fix', 'pos_long'),
  elapsedSeconds: described(seconds(ranges.seconds, 'elapsed_time'), 'seconds since takeoff'),
  minimumFuel: described(number(ranges.weight, 'min_fob'), 'minimum fuel on board, in `units`'),
  plannedFuel: described(number(ranges.weight, 'est_fob'), 'planned fuel on board, in `units`'),
  criticalFuel: described(
    number(ranges.weight, 'critical_fuel'),
    'fuel for the worst diversion from here, in `units`',
  ),
  condition: described(text(60, 'etops_condition'), 'the failure planned for, as SimBrief names it'),
  diversions: described(
    list(
      10,
      (point) => point.each('div_airport'),
      block({
        icao: code(10, 'icao_code'),
        distanceNm: described(number(ranges.distanceNm, 'distance'), 'nautical miles'),
        trackTrueDeg: number(ranges.degrees, 'track_true'),
        windComponentKt: number(ranges.componentKt, 'avg_wind_comp'),
      }),
    ),
    'diversion airports from this point',
  ),
});

export const ofpEtops = orNull(
  block({
    ruleMinutes: described(
      integer(ranges.minutes, 'rule'),
      'ETOPS rule time, minutes from an adequate airport',
    ),
    entry: described(within('entry', orNull(etopsPoint)), 'where the segment begins'),
    exit: described(within('exit', orNull(etopsPoint)), 'where the segment ends'),
    equalTimePoints: described(
      list(20, (etops) => etops.each('equal_time_point').filter(({ isEmpty }) => !isEmpty), etopsPoint),
      'equal-time points between two airports',
    ),
    criticalPoint: described(
      within('critical_point', orNull(etopsPoint)),
      'where the critical fuel is highest',
    ),
    airports: derived(z.array(ofpSuitableAirport.schema).describe('planned suitable airports'), []),
  }),
);

/** ISO 8601, also from `202609012200`. */
const notamTime = (...names: string[]) =>
  member(textSchema, (notam) => {
    const said = notam.text(40, ...names);
    const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(said ?? '') ?? [];
    return timeOf(year === undefined ? said : `${year}-${month}-${day}T${hour}:${minute}:00Z`) ?? null;
  });

export const ofpNotam = block({
  id: described(text(40, 'notam_id'), 'NOTAM number, such as A0123/26'),
  location: described(
    code(10, 'location_icao', 'icao_id', 'location_id'),
    'ICAO code of the airport or region',
  ),
  text: member(z.string(), (notam) => notam.text(4_000, 'notam_text', 'notam_report', 'notam_raw') ?? ''),
  qCode: described(text(10, 'notam_qcode'), 'Q code, such as QMRLC'),
  from: described(notamTime('date_effective', 'notam_effective_dtg'), 'ISO 8601'),
  to: described(
    notamTime('date_expire', 'notam_expire_dtg'),
    'ISO 8601; null: until further notice, or unknown',
  ),
  isEstimated: described(flag('date_expire_is_estimated'), 'true when the end time is an estimate'),
});

export const ofpFileSchema = z.strictObject({
  kind: z.enum(['document', 'fms', 'image']).describe('a briefing, a file for an FMS, or a map'),
  format: textSchema.describe('file extension or name of the format, such as pdf'),
  name: textSchema,
  url: textSchema.describe('URL at SimBrief; null without a web address'),
});

export type OfpAirport = z.output<typeof ofpAirport.schema>;
export type OfpNotam = z.output<typeof ofpNotam.schema>;
export type OfpFile = z.output<typeof ofpFileSchema>;
