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
    ident: textField(100, codes).nullish().describe('name of the point; the code of an airport at the ends'),
    latitude: z.number(invalid).min(-90, invalid).max(90, invalid),
    longitude: z.number(invalid).min(-180, invalid).max(180, invalid),
    flightLevel: z.int(invalid).min(0, invalid).max(999, invalid).nullish(),
    eto: timeField(invalid),
  },
  invalid,
);

/** Input of weatherRoute and of the drawings of the same route. */
export const routeInputShape = {
  ofpId: ofpIdField().nullish().describe('a stored plan, whose navigation log is the route'),
  waypoints: listField(
    waypointSchema,
    { min: 2, max: maxWaypoints },
    { invalid, tooMany: 'TOO_MANY_WAYPOINTS' },
  )
    .nullish()
    .describe('the route, where it is not that of a plan'),
  time: timeField('INVALID_FIELD').describe(
    'time at the first point, ISO 8601 or Unix; default its `eto`, else now. Other times move with it',
  ),
  flightLevel: z
    .int('INVALID_FIELD')
    .min(0, 'INVALID_FIELD')
    .max(999, 'INVALID_FIELD')
    .default(350)
    .describe('of waypoints before the first that has one'),
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
  ident: z.string().nullable().describe('name of the point as given'),
  ...placeShape,
  flightLevel: z.int(),
  eto: timeText(),
  distance: z.number().describe('from the first point along the route, nautical miles'),
  track: z.int().nullable().describe('to the next point, degrees true; null at the last'),
  tailwind: z
    .int()
    .nullable()
    .describe(
      'mean along the leg to the next point, knots; negative: headwind; null without winds and at the last',
    ),
  forecastHour: z.int().describe('hour of the forecast that is nearest'),
  temperature: z.number().nullable().describe('at this level, degrees C'),
  freezingLevel: z
    .int()
    .nullable()
    .describe(
      'lowest pressure altitude with 0 degrees C, feet; 0: it freezes at the lowest level of the model',
    ),
  winds: windLevelsSchema,
});
export type RoutePointAnswer = z.output<typeof routePointAnswerSchema>;

const momentSchema = z.strictObject({
  ...placeShape,
  distance: z.number().describe('from the first point along the route, nautical miles'),
  flightLevel: z.int(),
  time: timeText(),
});
const passageSchema = z.strictObject({
  entry: momentSchema.describe('where it begins'),
  exit: momentSchema.describe('where it ends'),
});

const routeHazardSchema = z.strictObject({
  list: z.enum(sigmetProducts).describe('list of the source: of the world, of the United States, G-AIRMET'),
  kind: z.enum(['SIGMET', 'AIRMET', 'G-AIRMET']).describe('kind of the warning'),
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
    .describe('of the area; null: it does not move, or nothing is said'),
  change: z.string().nullable().describe('NC, WKN or INTSF: unchanged, weakening, intensifying'),
  text: z.string().describe('the warning in its original words'),
  area: z
    .array(z.array(z.strictObject(placeShape)))
    .describe('polygons (lines of two points where only a line is given), as issued: not moved with time'),
  crosses: z.boolean().describe('the route is inside at a level and a time at which the warning holds'),
  crossings: z.array(passageSchema).describe('where the route is inside, within its levels and validity'),
  along: z.array(passageSchema).describe('where the route is above, below or inside while it is valid'),
});
export type RouteHazard = z.output<typeof routeHazardSchema>;

/** A METAR or TAF. */
export const routeReportSchema = z.strictObject({
  date: z.string(),
  text: z.string().describe('the report in its original words'),
});

const routeAirportSchema = z.strictObject({
  icao: z.string(),
  role: z
    .enum(['departure', 'destination', 'alternate', 'station'])
    .describe('what it is to the route; `station`: reports within 50 NM of it'),
  offRoute: z
    .number()
    .nullable()
    .describe('nautical miles from the route; null for a place that is not known'),
  alongRoute: z.number().nullable().describe('along the route to the nearest place, nautical miles'),
  time: timeText().nullable().describe('when the route is nearest'),
  category: z.enum(flightCategories).nullable().describe('flight category of the METAR'),
  metar: routeReportSchema.nullable(),
  taf: routeReportSchema.nullable(),
});
export type RouteAirport = z.output<typeof routeAirportSchema>;

export const routeOutputShape = {
  departureTime: timeText(),
  arrivalTime: timeText(),
  distance: z.number().describe('nautical miles'),
  source: z.string().nullable().describe('model of the winds; null without winds'),
  points: z.array(routePointAnswerSchema).describe('of the route, each with winds and temperatures'),
  airports: z
    .array(routeAirportSchema)
    .describe('departure, destination, alternates, and stations near the route, the nearest first'),
  stationCount: z
    .int()
    .describe('stations with a report within 50 NM, of which the nearest are in `airports`'),
  hazards: z.array(routeHazardSchema).describe('warnings along the route, those that it crosses first'),
  hazardsAsOf: timeText()
    .nullable()
    .describe('when the warnings were last read; null: never, and an empty list means nothing'),
  pireps: z
    .array(routePirepSchema)
    .describe(
      'reports of pilots and aircraft of the last 3 hours within 50 NM, the most severe first, then the latest',
    ),
  pirepCount: z.int().describe('how many there are, of which the first are in `pireps`'),
  pirepsAsOf: timeText()
    .nullable()
    .describe('when the reports were last read; null: never, and an empty list means nothing'),
  tropopause: z.null().describe('pressure altitude in feet: see `notKnown`'),
  notKnown: z
    .array(
      z.strictObject({
        field: z.string().describe('name of the member that is null'),
        reason: z.string().describe('why nothing is known, for people'),
      }),
    )
    .describe('members that are null, with the reason'),
};
export const routeOutputSchema = z.strictObject({
  ...routeOutputShape,
  assumed: z.array(z.string()).describe('what waypoints do not say, with what was taken in its place'),
  ...ignoredField,
});
