/** FAA NASR airports: declared distances and surveyed thresholds, and the seed for a machine without a network. */
import { z } from 'zod';
import type { RawAirport } from '#domain/airports/build.ts';
import { isIcaoCode, normaliseRunwayIdent } from '#domain/airports/ident.ts';
import type { AirportType, RawRunway, RawRunwayEnd } from '#domain/airports/types.ts';
import { SourceError } from '#domain/source-error.ts';
import { readBundled } from './bundled.ts';

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
  icao: z.string().optional(),
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

const envelopeSchema = z.object({
  meta: z.object({ nasrCycleDate: z.string() }),
  records: z.array(z.unknown()).min(1),
});

export interface FaaNasr {
  /** ICAO airports as a separate source (the seed). */
  airports: RawAirport[];
  /** ICAO → padded designator → official data. */
  officialEnds: Map<string, Map<string, RawRunwayEnd>>;
}

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

const airportOf = (record: NasrAirport, icao: string, asOf: string): RawAirport => ({
  icao,
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

/** Reads the bundled JSON (`{meta, records}`). Invalid records are left out; an invalid file throws SourceError. */
export const parseFaaNasr = (json: string): FaaNasr => {
  let document: unknown;
  try {
    document = JSON.parse(json);
  } catch (error) {
    throw new SourceError('NOT_JSON', `The FAA airport file is not valid JSON: ${String(error)}`);
  }
  const checked = envelopeSchema.safeParse(document);
  if (!checked.success) {
    throw new SourceError('WRONG_CONTENT', 'The FAA airport file has no meta.nasrCycleDate or no records.');
  }
  // The effective date of the cycle.
  const asOf = checked.data.meta.nasrCycleDate.slice(0, 10);
  const result: FaaNasr = { airports: [], officialEnds: new Map() };
  for (const record of checked.data.records) {
    // Heliports and strips without an ICAO code are not checked.
    if (typeof record !== 'object' || record === null || !('icao' in record)) continue;
    const { data } = nasrAirportSchema.safeParse(record);
    if (!data?.icao || !isIcaoCode(data.icao)) continue;
    const airport = airportOf(data, data.icao, asOf);
    result.airports.push(airport);
    const ends = new Map<string, RawRunwayEnd>();
    for (const end of airport.runways.flatMap(({ low, high }) => [low, high])) {
      const ident = normaliseRunwayIdent(end.ident);
      if (ident) ends.set(ident, end);
    }
    result.officialEnds.set(data.icao, ends);
  }
  return result;
};

let lastRead: WeakRef<FaaNasr> | undefined;

/** The bundled data set. The result is shared, so it must not be changed: later readers reuse it while it is in memory. */
export const readBundledFaaNasr = async (): Promise<FaaNasr> => {
  const known = lastRead?.deref();
  if (known) return known;
  const read = parseFaaNasr(await readBundled('faa-nasr'));
  lastRead = new WeakRef(read);
  return read;
};
