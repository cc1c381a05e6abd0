import { z } from 'zod';

/** One environment variable. */
export interface Variable {
  schema: z.ZodType;
  secret?: true;
  /** A switch that changes what users get, or what it costs: who sets it to what. */
  setBy?: string;
  text: string;
}

const sourceUrlSchema = z.string().regex(/^(https?|file):\/\/.+/, 'must be an http(s):// or file:// URL');
const optional = <T extends z.ZodType>(schema: T) => schema.optional();

/** The variables of the outside sources: addresses, and what their services need. */
export const sourceVariables = {
  METAR_URL: {
    schema: sourceUrlSchema.default('https://aviationweather.gov/data/cache/metars.cache.xml.gz'),
    text: 'METAR cache (XML, plain or .gz).',
  },
  METAR_FALLBACK_URL: {
    schema: sourceUrlSchema.default('https://tgftp.nws.noaa.gov/data/observations/metar/cycles/{HH}Z.TXT'),
    text: 'METAR cycle files, used when the cache fails.',
  },
  METAR_NETWORK_URL: {
    schema: optional(sourceUrlSchema),
    text: 'Third METAR source: plain text, one report per line.',
  },
  TAF_URL: {
    schema: sourceUrlSchema.default('https://aviationweather.gov/data/cache/tafs.cache.xml.gz'),
    text: 'TAF cache (XML, plain or .gz).',
  },
  TAF_FALLBACK_URL: {
    schema: sourceUrlSchema.default('https://tgftp.nws.noaa.gov/data/forecasts/taf/cycles/{HH}Z.TXT'),
    text: 'TAF cycle files, used when the cache fails.',
  },
  IVAO_WHAZZUP_URL: {
    schema: sourceUrlSchema.default('https://api.ivao.aero/v2/tracker/whazzup'),
    text: 'First online network: whole feed.',
  },
  IVAO_ATIS_URL: {
    schema: sourceUrlSchema.default('https://api.ivao.aero/v2/tracker/whazzup/atis'),
    text: 'First online network: ATIS list.',
  },
  VATSIM_URL: {
    schema: sourceUrlSchema.default('https://data.vatsim.net/v3/vatsim-data.json'),
    text: 'Second online network.',
  },
  SIGMET_URL: {
    schema: sourceUrlSchema.default('https://aviationweather.gov/api/data/isigmet?format=json'),
    text: 'SIGMETs of the world (JSON).',
  },
  AIRSIGMET_URL: {
    schema: sourceUrlSchema.default('https://aviationweather.gov/api/data/airsigmet?format=json'),
    text: 'SIGMETs of the United States (JSON).',
  },
  GAIRMET_URL: {
    schema: sourceUrlSchema.default('https://aviationweather.gov/api/data/gairmet?format=json'),
    text: 'G-AIRMETs of the United States (JSON).',
  },
  PIREP_URL: {
    schema: sourceUrlSchema.default('https://aviationweather.gov/data/cache/aircraftreports.cache.csv.gz'),
    text: 'Reports of pilots and aircraft (CSV).',
  },
  AIRPORTS_URL: {
    schema: sourceUrlSchema.default('https://davidmegginson.github.io/ourairports-data/airports.csv'),
    text: 'OurAirports airports.csv.',
  },
  RUNWAYS_URL: {
    schema: sourceUrlSchema.default('https://davidmegginson.github.io/ourairports-data/runways.csv'),
    text: 'OurAirports runways.csv.',
  },
  NAVAIDS_URL: {
    schema: sourceUrlSchema.default('https://davidmegginson.github.io/ourairports-data/navaids.csv'),
    text: 'OurAirports navaids.csv.',
  },
  WINDS_URL: {
    schema: sourceUrlSchema.default(
      'https://nomads.ncep.noaa.gov/pub/data/nccf/com/gfs/prod/gfs.{YYYYMMDD}/{HH}/atmos/gfs.t{HH}z.pgrb2.1p00.f{FFF}',
    ),
    text: 'GFS files; `{YYYYMMDD} {HH} {FFF}` are filled in, the inventory is at the same URL plus `.idx`.',
  },
  WINDS_FALLBACK_URL: {
    schema: sourceUrlSchema.default(
      'https://noaa-gfs-bdp-pds.s3.amazonaws.com/gfs.{YYYYMMDD}/{HH}/atmos/gfs.t{HH}z.pgrb2.1p00.f{FFF}',
    ),
    text: 'Second source of the same files.',
  },
  OVERPASS_URL: {
    schema: sourceUrlSchema.default('https://overpass-api.de/api/interpreter'),
    text: 'OSM Overpass endpoint for taxiways and exits.',
  },
  OBSTACLES_URL: {
    schema: sourceUrlSchema.default('https://aeronav.faa.gov/Obst_Data/DAILY_DOF_DAT.ZIP'),
    text: 'FAA digital obstacle file.',
  },
  NOTAM_URL: {
    schema: optional(sourceUrlSchema),
    text: 'NOTAM service (GeoJSON or AIXM) or a folder of ICAO texts.',
  },
  PLANNER_URL: {
    schema: z
      .string()
      .regex(/^https?:\/\/.+/, 'must be an http(s):// URL')
      .default('https://www.simbrief.com/api/xml.fetcher.php'),
    text: 'Fetch address of the flight planner, whose plans `ofpImport` stores.',
  },
  NOTAM_TOKEN_URL: { schema: optional(sourceUrlSchema), text: 'OAuth2 token URL of the NOTAM service.' },
  NOTAM_CLIENT_ID: { schema: optional(z.string().min(1)), text: 'OAuth2 client id of the NOTAM service.' },
  NOTAM_CLIENT_SECRET: {
    schema: optional(z.string().min(1)),
    secret: true,
    text: 'OAuth2 client secret of the NOTAM service.',
  },
} as const satisfies Record<string, Variable>;
