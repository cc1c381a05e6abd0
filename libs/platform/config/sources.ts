import { z } from 'zod';

/** One environment variable. */
export interface Variable {
  schema: z.ZodType;
  secret?: true;
  /** For a switch that affects what users get or what it costs: who sets it, and to what. */
  setBy?: string;
  text: string;
}

const sourceUrlSchema = z.string().regex(/^(https?|file):\/\/.+/, 'must be an http(s):// or file:// URL');
/** Base URL of a folder. */
const baseUrlSchema = sourceUrlSchema.transform((url) => url.replace(/\/$/, ''));
const source = (preset: string, text: string) =>
  ({ schema: sourceUrlSchema.default(preset), text }) as const satisfies Variable;
const base = (preset: string, text: string) =>
  ({ schema: baseUrlSchema.default(preset), text }) as const satisfies Variable;
const optional = <T extends z.ZodType>(schema: T) => schema.optional();

/** Variables of the outside sources: addresses and credentials. */
export const sourceVariables = {
  METAR_URL: source(
    'https://aviationweather.gov/data/cache/metars.cache.xml.gz',
    'METAR cache (XML, plain or .gz).',
  ),
  METAR_FALLBACK_URL: source(
    'https://tgftp.nws.noaa.gov/data/observations/metar/cycles/{HH}Z.TXT',
    'METAR cycle files, used when the cache fails.',
  ),
  METAR_NETWORK_URL: {
    schema: optional(sourceUrlSchema),
    text: 'Third METAR source: plain text, one report per line.',
  },
  TAF_URL: source(
    'https://aviationweather.gov/data/cache/tafs.cache.xml.gz',
    'TAF cache (XML, plain or .gz).',
  ),
  TAF_FALLBACK_URL: source(
    'https://tgftp.nws.noaa.gov/data/forecasts/taf/cycles/{HH}Z.TXT',
    'TAF cycle files, used when the cache fails.',
  ),
  IVAO_URL: base(
    'https://api.ivao.aero/v2/tracker/whazzup',
    'First online network: whole feed, and its ATIS list below it at `/atis`.',
  ),
  VATSIM_URL: source('https://data.vatsim.net/v3/vatsim-data.json', 'Second online network.'),
  AWC_URL: base(
    'https://aviationweather.gov',
    'Lists of SIGMETs and G-AIRMETs (below `/api/data`) and of pilot reports (below `/data/cache`).',
  ),
  AIRPORTS_URL: base(
    'https://davidmegginson.github.io/ourairports-data',
    'Folder with airports.csv, runways.csv and navaids.csv of OurAirports.',
  ),
  WINDS_URLS: {
    schema: z
      .string()
      .default(
        'https://nomads.ncep.noaa.gov/pub/data/nccf/com/gfs/prod/gfs.{YYYYMMDD}/{HH}/atmos/gfs.t{HH}z.pgrb2.1p00.f{FFF},' +
          'https://noaa-gfs-bdp-pds.s3.amazonaws.com/gfs.{YYYYMMDD}/{HH}/atmos/gfs.t{HH}z.pgrb2.1p00.f{FFF},' +
          // Finer files, if those of one degree end, and the names announced for the next version of the model.
          'https://noaa-gfs-bdp-pds.s3.amazonaws.com/gfs.{YYYYMMDD}/{HH}/atmos/gfs.t{HH}z.pgrb2.0p25.f{FFF},' +
          'https://noaa-gfs-bdp-pds.s3.amazonaws.com/gfs.{YYYYMMDD}/{HH}/products/atmos/grib2/0p25/gfs.t{HH}z.pres_a.0p25.f{FFF}.grib2',
      )
      .transform((text) => text.split(',').map((url) => url.trim()))
      .pipe(z.array(sourceUrlSchema)),
    text: 'GFS files: URLs of alternative sources, comma-separated; `{YYYYMMDD} {HH} {FFF}` are filled in, the inventory is at the same URL plus `.idx`.',
  },
  OVERPASS_URL: source(
    'https://overpass-api.de/api/interpreter',
    'OSM Overpass endpoint for taxiways and exits.',
  ),
  OBSTACLES_URL: source('https://aeronav.faa.gov/Obst_Data/DAILY_DOF_DAT.ZIP', 'FAA digital obstacle file.'),
  NOTAM_URL: {
    schema: optional(sourceUrlSchema),
    text: 'NOTAM service (GeoJSON or AIXM) or a folder of ICAO texts.',
  },
  PLANNER_URL: {
    schema: z
      .string()
      .regex(/^https?:\/\/.+/, 'must be an http(s):// URL')
      .default('https://www.simbrief.com/api/xml.fetcher.php'),
    text: 'Fetch address of SimBrief, whose plans `ofpImport` stores.',
  },
  NOTAM_TOKEN_URL: { schema: optional(sourceUrlSchema), text: 'OAuth2 token URL of the NOTAM service.' },
  NOTAM_CLIENT_ID: { schema: optional(z.string().min(1)), text: 'OAuth2 client id of the NOTAM service.' },
  NOTAM_CLIENT_SECRET: {
    schema: optional(z.string().min(1)),
    secret: true,
    text: 'OAuth2 client secret of the NOTAM service.',
  },
} as const satisfies Record<string, Variable>;
