/** Weather along a route: the request and the answer of weatherRoute. */
import { z } from 'zod';
import { listField, textField } from '../fields/index.ts';
import { ignoredField } from '../fields/unknown-keys.ts';
import { ofpIdField } from '../ofp/id.ts';
import { etoMs } from '../winds/eto.ts';
import { maxWaypoints, windLevelsSchema } from '../winds/wind-aloft.ts';
import { flightCategories } from './category.ts';
import { routePirepSchema } from './pirep.ts';
import { sigmetProducts } from './sigmet.ts';

const invalid = 'INVALID_WAYPOINTS';
const codes = { missing: invalid, invalid };

const timeField = (code: string) =>
  z
    .union([textField(40, { invalid: code }), z.number()], code)
    .refine((time) => etoMs(time) !== null, code)
    .nullish();

const waypointSchema = z.strictObject(
  {
    ident: textField(100, codes)
      .nullish()
      .describe('name of the point; for the first and last, the airport code'),
    latitude: z.number(invalid).min(-90, invalid).max(90, invalid),
    longitude: z.number(invalid).min(-180, invalid).max(180, invalid),
    flightLevel: z.int(invalid).min(0, invalid).max(999, invalid).nullish(),
    eto: timeField(invalid),
  },
  invalid,
);

/** Input of weatherRoute and of the drawings of the same route. */
export const routeInputShape = {
  ofpId: ofpIdField().nullish().describe('id of a stored plan whose navigation log is used as route'),
  waypoints: listField(
    waypointSchema,
    { min: 2, max: maxWaypoints },
    { invalid, tooMany: 'TOO_MANY_WAYPOINTS' },
  )
    .nullish()
    .describe('the route, if `ofpId` is not sent'),
  time: timeField('INVALID_FIELD').describe(
    'time at the first point, ISO 8601 or Unix; default: its `eto`, else now. All other times are shifted with it',
  ),
  flightLevel: z
    .int('INVALID_FIELD')
    .min(0, 'INVALID_FIELD')
    .max(999, 'INVALID_FIELD')
    .default(350)
    .describe('flight level for waypoints before the first one with its own'),
  groundSpeed: z
    .number('INVALID_FIELD')
    .min(50, 'INVALID_FIELD')
    .max(2_000, 'INVALID_FIELD')
    .default(450)
    .describe('knots, for waypoints without `eto`'),
};

export const routeInputSchema = z.strictObject(routeInputShape);
export type RouteInput = z.output<typeof routeInputSchema>;

const placeShape = { latitude: z.number(), longitude: z.number() };
const timeText = () => z.string().describe('ISO 8601, UTC');

const routePointAnswerSchema = z.strictObject({
  ident: z.string().nullable().describe('name of the point as sent'),
  ...placeShape,
  flightLevel: z.int(),
  eto: timeText(),
  distance: z.number().describe('distance along the route from the first point, nautical miles'),
  track: z.int().nullable().describe('track to the next point, degrees true; null at the last point'),
  tailwind: z
    .int()
    .nullable()
    .describe(
      'mean tailwind on the leg to the next point, knots; negative: headwind; null without winds and at the last point',
    ),
  forecastHour: z.int().describe('nearest forecast hour'),
  temperature: z.number().nullable().describe('temperature at this level, degrees C'),
  freezingLevel: z
    .int()
    .nullable()
    .describe('lowest pressure altitude at 0 degrees C, feet; 0: freezing at the lowest model level'),
  winds: windLevelsSchema,
});
export type RoutePointAnswer = z.output<typeof routePointAnswerSchema>;

const momentSchema = z.strictObject({
  ...placeShape,
  distance: z.number().describe('distance along the route from the first point, nautical miles'),
  flightLevel: z.int(),
  time: timeText(),
});
const passageSchema = z.strictObject({
  entry: momentSchema.describe('start point'),
  exit: momentSchema.describe('end point'),
});

const routeHazardSchema = z.strictObject({
  list: z.enum(sigmetProducts).describe('source list: worldwide, United States or G-AIRMET'),
  kind: z.enum(['SIGMET', 'AIRMET', 'G-AIRMET']).describe('type of warning'),
  fir: z.string().describe('flight information region or issuing office'),
  firName: z.string().nullable().describe('name of the region'),
  series: z.string().nullable().describe('number of the warning'),
  hazard: z.string().describe('abbreviation: TURB, ICE, TS, VA, TC, MTW, CONVECTIVE …'),
  qualifier: z.string().nullable().describe('SEV, EMBD, OBSC …; the volcano of an ash cloud'),
  validFrom: timeText(),
  validTo: timeText(),
  base: z.int().nullable().describe('feet; null: from the surface'),
  top: z.int().nullable().describe('feet; null: no upper limit is given'),
  movement: z
    .strictObject({ toward: z.number().describe('degrees true'), speed: z.number().describe('knots') })
    .nullable()
    .describe('movement of the area; null: stationary or not stated'),
  change: z.string().nullable().describe('NC, WKN or INTSF: unchanged, weakening, intensifying'),
  text: z.string().describe('original text of the warning'),
  area: z
    .array(z.array(z.strictObject(placeShape)))
    .describe('polygons as issued, not moved with time; a line of two points if only a line was issued'),
  crosses: z
    .boolean()
    .describe("true when the route is inside the area, within the warning's levels and validity"),
  crossings: z
    .array(passageSchema)
    .describe('parts of the route inside the area, within its levels and validity'),
  along: z
    .array(passageSchema)
    .describe('parts of the route inside, above or below the area while it is valid'),
});
export type RouteHazard = z.output<typeof routeHazardSchema>;

/** A METAR or TAF. */
export const routeReportSchema = z.strictObject({
  date: z.string(),
  text: z.string().describe('original text of the report'),
});

const routeAirportSchema = z.strictObject({
  icao: z.string(),
  role: z
    .enum(['departure', 'destination', 'alternate', 'station'])
    .describe('role of the airport on the route; `station`: a reporting station within 50 NM of the route'),
  offRoute: z
    .number()
    .nullable()
    .describe('distance from the route, nautical miles; null when the position is unknown'),
  alongRoute: z.number().nullable().describe('distance along the route to the closest point, nautical miles'),
  time: timeText().nullable().describe('time at the closest point'),
  category: z.enum(flightCategories).nullable().describe('flight category of the METAR'),
  metar: routeReportSchema.nullable(),
  taf: routeReportSchema.nullable(),
});
export type RouteAirport = z.output<typeof routeAirportSchema>;

export const routeOutputShape = {
  departureTime: timeText(),
  arrivalTime: timeText(),
  distance: z.number().describe('nautical miles'),
  source: z.string().nullable().describe('wind forecast model; null without winds'),
  points: z.array(routePointAnswerSchema).describe('points of the route, each with wind and temperature'),
  airports: z
    .array(routeAirportSchema)
    .describe('departure, destination, alternates, then stations near the route, nearest first'),
  stationCount: z
    .int()
    .describe('number of reporting stations within 50 NM; `airports` contains the nearest'),
  hazards: z
    .array(routeHazardSchema)
    .describe('warnings along the route, those that the route crosses first'),
  hazardsAsOf: timeText()
    .nullable()
    .describe('when the warnings were last fetched; null: never, so an empty list proves nothing'),
  pireps: z
    .array(routePirepSchema)
    .describe('pilot and aircraft reports of the last 3 hours within 50 NM, most severe first, then latest'),
  pirepCount: z.int().describe('number of reports; `pireps` contains the first'),
  pirepsAsOf: timeText()
    .nullable()
    .describe('when the reports were last fetched; null: never, so an empty list proves nothing'),
  tropopause: z.null().describe('always null: see `notKnown`'),
  notKnown: z
    .array(
      z.strictObject({
        field: z.string().describe('name of the null field'),
        reason: z.string().describe('why it is not known, for people'),
      }),
    )
    .describe('null fields, with the reason'),
};
export const routeOutputSchema = z.strictObject({
  ...routeOutputShape,
  assumed: z
    .array(z.string())
    .describe('values missing from the waypoints, with the assumptions made instead'),
  ...ignoredField,
});
