import { hourMs } from '#domain/time.ts';

const cyclePeriodMs = 6 * hourMs;
/** The first hours of a run are published about this long after its reference time. */
export const publicationDelayMs = 215 * 60_000;

/**
 * Cycles worth requesting, newest first: those that should be published by `now` and are newer than the active
 * one. `count` limits how far back a service looks after a long downtime.
 */
export const candidateCycles = (nowMs: number, activeCycleMs: number | null, count = 4): number[] => {
  const newest = Math.floor((nowMs - publicationDelayMs) / cyclePeriodMs) * cyclePeriodMs;
  return Array.from({ length: count }, (_, i) => newest - i * cyclePeriodMs).filter(
    (cycleMs) => activeCycleMs === null || cycleMs > activeCycleMs,
  );
};

/**
 * Fills `{YYYYMMDD}`, `{YYYY}`, `{MM}`, `{DD}`, `{HH}`, `{FFF}`, `{FF}` and `{F}` of a URL template for a cycle
 * and a forecast hour of three, two or as many digits as needed.
 */
export const fillTemplate = (template: string, cycleMs: number, hour: number): string => {
  const iso = new Date(cycleMs).toISOString();
  const values: Record<string, string> = {
    YYYYMMDD: iso.slice(0, 10).replaceAll('-', ''),
    YYYY: iso.slice(0, 4),
    MM: iso.slice(5, 7),
    DD: iso.slice(8, 10),
    HH: iso.slice(11, 13),
    FFF: String(hour).padStart(3, '0'),
    FF: String(hour).padStart(2, '0'),
    F: String(hour),
  };
  return template.replaceAll(
    /\{(YYYYMMDD|YYYY|MM|DD|HH|FFF|FF|F)\}/g,
    (whole, name: string) => values[name] ?? whole,
  );
};

/** A source of GFS files; sources are tried in order. */
export interface WindSource {
  name: string;
  /** URL of a forecast hour's file, with placeholders. */
  template: string;
  /** `ranges`: inventory and byte ranges; `whole`: one request, for local files. */
  kind: 'ranges' | 'whole';
  /** Gaps up to this many octets are fetched together with their neighbours. */
  maxGapOctets: number;
  /** Minimum time between two requests, for servers that count them. */
  spacingMs: number;
  /** Concurrent requests. */
  parallel: number;
}

/** NOMADS blocks a user for a long time after 120 requests in a minute; we stay at 60. */
const nomads = { maxGapOctets: 400_000, spacingMs: 1_000, parallel: 1 };
const objectStore = { maxGapOctets: 40_000, spacingMs: 0, parallel: 6 };

/** 0.25 degree of the current model, and the names of its next version. */
const knownTemplates = [
  'https://noaa-gfs-bdp-pds.s3.amazonaws.com/gfs.{YYYYMMDD}/{HH}/atmos/gfs.t{HH}z.pgrb2.0p25.f{FFF}',
  'https://noaa-gfs-bdp-pds.s3.amazonaws.com/gfs.{YYYYMMDD}/{HH}/products/atmos/grib2/0p25/gfs.t{HH}z.pres_a.0p25.f{FFF}.grib2',
] as const;

/** A source for a template, with the limits its server requires. */
export const sourceOf = (template: string): WindSource => {
  const url = new URL(template.replaceAll(/[{}]/g, '0'));
  const isLocal = url.protocol === 'file:';
  return {
    name: isLocal ? 'local files' : url.host,
    template,
    kind: isLocal ? 'whole' : 'ranges',
    ...(url.hostname.endsWith('nomads.ncep.noaa.gov') ? nomads : objectStore),
  };
};

/**
 * The configured sources in their order, then the 0.25 degree files and the names of the model's next version on the
 * object store, so that the service survives the end of the one-degree files. `onlyOwn` leaves the latter out.
 */
export const windSources = (templates: readonly string[], onlyOwn = false): WindSource[] =>
  [...new Set([...templates, ...(onlyOwn ? [] : knownTemplates)])].map(sourceOf);
