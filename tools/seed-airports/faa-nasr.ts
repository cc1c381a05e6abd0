/** Airports of the FAA (NASR) with their declared distances, as the service bundles them. */
import { z } from 'zod';
import type { RawAirport } from '#domain/airports/build.ts';
import { isIcaoCode } from '#domain/airports/ident.ts';
import type { AirportType, RawRunway, RawRunwayEnd } from '#domain/airports/types.ts';
import type { BundledAirports } from '#data/feeds/airports/bundled.ts';

const optionalNumberSchema = z.number().optional();

const nasrEndSchema = z.object({
  id: z.string(),
  trueHeadingDeg: optionalNumberSchema,
  lat: optionalNumberSchema,
  lon: optionalNumberSchema,
  elevationFt: optionalNumberSchema,
  displacedThresholdFt: optionalNumberSchema,
  toraFt: optionalNumberSchema,
  todaFt: optionalNumberSchema,
  asdaFt: optionalNumberSchema,
  ldaFt: optionalNumberSchema,
});

const nasrRunwaySchema = z.object({
  id: z.string(),
  ends: z.array(nasrEndSchema),
  lengthFt: optionalNumberSchema,
  widthFt: optionalNumberSchema,
  surfaceType: z.string().optional(),
  lighting: z.string().optional(),
});

const nasrAirportSchema = z.object({
  icao: z.string(),
  name: z.string(),
  facilityType: z.string(),
  city: z.string().optional(),
  country: z.string(),
  lat: z.number(),
  lon: z.number(),
  elevationFt: optionalNumberSchema,
  runways: z.array(nasrRunwaySchema),
});

type NasrEnd = z.output<typeof nasrEndSchema>;
type NasrRunway = z.output<typeof nasrRunwaySchema>;
type NasrAirport = z.output<typeof nasrAirportSchema>;

const fileSchema = z.object({
  meta: z.object({ nasrCycleDate: z.string() }),
  records: z.array(z.object({ icao: z.string().optional() }).loose()).min(1),
});

const orNull = (value: number | undefined): number | null => value ?? null;

const hasDistances = (end: NasrEnd): boolean =>
  [end.toraFt, end.todaFt, end.asdaFt, end.ldaFt].some((value) => value !== undefined);

const rawEndOf = (end: NasrEnd, asOf: string): RawRunwayEnd => ({
  ident: end.id,
  latitudeDeg: orNull(end.lat),
  longitudeDeg: orNull(end.lon),
  elevationFt: orNull(end.elevationFt),
  headingTrueDeg: orNull(end.trueHeadingDeg),
  displacedThresholdFt: orNull(end.displacedThresholdFt),
  ...(hasDistances(end) && {
    official: {
      source: 'faa_nasr',
      asOf,
      toraFt: orNull(end.toraFt),
      todaFt: orNull(end.todaFt),
      asdaFt: orNull(end.asdaFt),
      ldaFt: orNull(end.ldaFt),
    },
  }),
});

const rawRunwayOf = (runway: NasrRunway, asOf: string): RawRunway[] => {
  const [low, high] = runway.ends;
  if (!low || !high) return [];
  return [
    {
      lengthFt: orNull(runway.lengthFt),
      widthFt: orNull(runway.widthFt),
      surfaceText: runway.surfaceType ?? '',
      isLighted: runway.lighting !== undefined && runway.lighting !== 'NONE',
      isClosed: false,
      low: rawEndOf(low, asOf),
      high: rawEndOf(high, asOf),
    },
  ];
};

/** The FAA data do not include the size of an airport. */
const types: Readonly<Record<string, AirportType>> = { HELIPORT: 'heliport', SEAPLANE_BASE: 'seaplane' };

const airportOf = (record: NasrAirport, asOf: string): RawAirport => ({
  icao: record.icao,
  formerIcaos: [],
  iata: null,
  name: titleCase(record.name),
  type: types[record.facilityType] ?? 'other',
  latitudeDeg: record.lat,
  longitudeDeg: record.lon,
  elevationFt: orNull(record.elevationFt),
  country: record.country,
  municipality: record.city === undefined ? null : titleCase(record.city),
  source: 'faa_nasr',
  runways: record.runways.flatMap((runway) => rawRunwayOf(runway, asOf)),
});

/** The FAA writes names in upper case; `JOHN F KENNEDY INTL` → `John F Kennedy Intl`. */
const titleCase = (text: string): string =>
  text
    .toLowerCase()
    .replace(/(^|[\s/(-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());

/** Airports with an ICAO code; heliports and strips without one, six of seven records, are not checked. */
export const faaAirports = (json: string): BundledAirports => {
  const { meta, records } = fileSchema.parse(JSON.parse(json));
  // The effective date of the cycle.
  const date = meta.nasrCycleDate.slice(0, 10);
  const airports = records
    .filter(({ icao }) => icao !== undefined && isIcaoCode(icao))
    .map((record) => airportOf(nasrAirportSchema.parse(record), date));
  return { date, airports };
};
