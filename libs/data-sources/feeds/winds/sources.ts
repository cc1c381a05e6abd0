import { hourMs } from '#domain/time.ts';

const cyclePeriodMs = 6 * hourMs;
/** The first hours of a run are published about this long after its reference time. */
const publicationDelayMs = 215 * 60_000;

/**
 * Cycles to request, newest first: newer than the active one and due to be published by `now`; after a long downtime,
 * those of the last day.
 */
export const candidateCycles = (nowMs: number, activeCycleMs: number | null): number[] => {
  const newest = Math.floor((nowMs - publicationDelayMs) / cyclePeriodMs) * cyclePeriodMs;
  return [0, 1, 2, 3]
    .map((i) => newest - i * cyclePeriodMs)
    .filter((cycleMs) => activeCycleMs === null || cycleMs > activeCycleMs);
};

/** Fills `{YYYYMMDD}`, `{HH}` and the forecast hour `{FFF}` in a URL template. */
export const fillTemplate = (template: string, cycleMs: number, hour: number): string => {
  const iso = new Date(cycleMs).toISOString();
  return template
    .replaceAll('{YYYYMMDD}', iso.slice(0, 10).replaceAll('-', ''))
    .replaceAll('{HH}', iso.slice(11, 13))
    .replaceAll('{FFF}', String(hour).padStart(3, '0'));
};

/** A source of GFS files; sources are tried in order. */
export interface WindSource {
  name: string;
  /** URL of the file for a forecast hour, with placeholders. */
  template: string;
  /** `ranges`: inventory and byte ranges; `whole`: one request, for local files. */
  kind: 'ranges' | 'whole';
  /** Gaps up to this size are fetched with their neighbours. */
  maxGapOctets: number;
  /** Minimum time between requests, for servers with a rate limit. */
  spacingMs: number;
  /** Concurrent requests. */
  parallel: number;
}

/** NOMADS blocks clients for long after 120 requests in a minute; we stay at 60. */
const nomads = { maxGapOctets: 400_000, spacingMs: 1_000, parallel: 1 };
const objectStore = { maxGapOctets: 40_000, spacingMs: 0, parallel: 6 };

/** The source for a template, within its server's limits. */
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
