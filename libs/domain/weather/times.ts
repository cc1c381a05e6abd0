/** A METAR is current for 75 minutes; older ones are still shown. */
import { dayMs } from '../time.ts';

export const metarValidityMinutes = 75;

/** So far back METARs are kept and answered. */
export const metarHistoryHours = 6;

/** `YYYY-MM-DD HH:MM:SS` in UTC, the wire format of dates. */
export const utcText = (iso: string): string => new Date(iso).toISOString().slice(0, 19).replace('T', ' ');

/** True while a report observed at `observedAt` (ISO) is at most 75 minutes old. */
export const isMetarCurrent = (observedAt: string, now: Date): boolean =>
  now.getTime() - Date.parse(observedAt) <= metarValidityMinutes * 60_000;

/** Station clocks may run ahead; more than this is a wrong time. */
export const mostAheadMs = 10 * 60_000;

/**
 * ISO time of a `ddhhmmZ` group: the latest such time of this month or the last one. A time up to a day ahead of now is a
 * wrong clock, not the time a month ago, and is returned for the caller to refuse. Null when there is no such day.
 */
export const timeFromGroup = (
  time: { day: number; hour: number; minute: number },
  now: Date,
): string | null => {
  const latest = now.getTime() + dayMs;
  for (let monthsBack = -1; monthsBack <= 1; monthsBack++) {
    const month = now.getUTCMonth() - monthsBack;
    const ms = Date.UTC(now.getUTCFullYear(), month, time.day, time.hour, time.minute);
    const first = Date.UTC(now.getUTCFullYear(), month, 1);
    if (time.day <= daysIn(first) && ms <= latest) return new Date(ms).toISOString();
  }
  return null;
};

/** Between the time of a group and the ISO time that a source gives for the same report; null when there is no such day. */
export const apartMs = (time: { day: number; hour: number; minute: number }, iso: string): number | null => {
  const known = new Date(iso);
  const apart = [-1, 0, 1].flatMap((offset) => {
    const first = Date.UTC(known.getUTCFullYear(), known.getUTCMonth() + offset, 1);
    if (time.day > daysIn(first)) return [];
    const ms = first + (time.day - 1) * dayMs + time.hour * 3_600_000 + time.minute * 60_000;
    return Math.abs(ms - known.getTime());
  });
  return apart.length === 0 ? null : Math.min(...apart);
};

/**
 * ISO time of a day and hour in a forecast issued at `issuedAt`: the nearest month that has this day, hour 24 being
 * midnight at its end. Without a day the next such hour counts.
 */
export const forecastTime = (
  at: { day: number | null; hour: number; minute: number },
  issuedAt: string,
): string => {
  const issued = new Date(issuedAt);
  const [year, month, today] = [issued.getUTCFullYear(), issued.getUTCMonth(), issued.getUTCDate()];
  if (at.day === null) {
    const same = Date.UTC(year, month, today, at.hour, at.minute);
    // The issue time may be shortly after the start of the period.
    const ms = same < issued.getTime() - 3 * 3_600_000 ? same + 86_400_000 : same;
    return new Date(ms).toISOString();
  }
  const candidates = [-1, 0, 1]
    .map((offset) => ({
      ms: Date.UTC(year, month + offset, at.day ?? 1, at.hour, at.minute),
      first: Date.UTC(year, month + offset, 1),
    }))
    .filter(({ first }) => (at.day ?? 1) <= daysIn(first));
  const nearest = candidates.reduce((a, b) => (distance(b.ms, issued) < distance(a.ms, issued) ? b : a));
  return new Date(nearest.ms).toISOString();
};

const daysIn = (firstOfMonthMs: number): number => {
  const first = new Date(firstOfMonthMs);
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
};

const distance = (ms: number, from: Date): number => Math.abs(ms - from.getTime());
