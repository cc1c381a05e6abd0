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
