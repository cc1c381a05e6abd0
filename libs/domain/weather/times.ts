/** A METAR is current for 75 minutes; older ones are still shown. */
import { dayMs, hourMs, minuteMs, wireTime } from '../time.ts';

export const metarValidityMinutes = 75;

/** METARs are kept and returned this far back. */
export const metarHistoryHours = 6;

/** `YYYY-MM-DD HH:MM:SS` in UTC, the wire format of dates. */
export const utcText = (iso: string): string => wireTime(new Date(iso));

/** True while a report from `observedAt` (ISO) is at most 75 minutes old. */
export const isMetarCurrent = (observedAt: string, now: Date): boolean =>
  now.getTime() - Date.parse(observedAt) <= metarValidityMinutes * minuteMs;

/** Station clocks may run ahead; times further ahead are wrong. */
export const mostAheadMs = 10 * minuteMs;

interface DayTime {
  day: number;
  hour: number;
  minute: number;
}

/** Times with this day and time of day in the months around `near`, ascending, milliseconds. */
const timesAround = ({ day, hour, minute }: DayTime, near: Date): number[] =>
  [-1, 0, 1].flatMap((offset) => {
    const first = Date.UTC(near.getUTCFullYear(), near.getUTCMonth() + offset, 1);
    const last = Date.UTC(near.getUTCFullYear(), near.getUTCMonth() + offset + 1, 0);
    const start = first + (day - 1) * dayMs;
    return start <= last ? [start + hour * hourMs + minute * minuteMs] : [];
  });

/**
 * ISO time of a `ddhhmmZ` group, in this month or the last. A time up to a day ahead of now comes from a wrong clock
 * rather than the last month, and is returned so that the caller refuses it. Null when the day does not exist.
 */
export const timeFromGroup = (time: DayTime, now: Date): string | null => {
  const ms = timesAround(time, now).findLast((each) => each <= now.getTime() + dayMs);
  return ms === undefined ? null : new Date(ms).toISOString();
};

/** Difference between a group's time and the source's ISO time of the report; null when the day does not exist. */
export const apartMs = (time: DayTime, iso: string): number | null => {
  const known = new Date(iso);
  const apart = timesAround(time, known).map((ms) => distance(ms, known));
  return apart.length === 0 ? null : Math.min(...apart);
};

/**
 * ISO time of a day and hour in a forecast issued at `issuedAt`, in the nearest month with this day; hour 24 is
 * midnight at its end. Without a day, the next such hour.
 */
export const forecastTime = (
  { day, hour, minute }: Omit<DayTime, 'day'> & { day: number | null },
  issuedAt: string,
): string => {
  const issued = new Date(issuedAt);
  if (day === null) {
    const same = Math.floor(issued.getTime() / dayMs) * dayMs + hour * hourMs + minute * minuteMs;
    // The issue time may be shortly after the start of the period.
    return new Date(same < issued.getTime() - 3 * hourMs ? same + dayMs : same).toISOString();
  }
  const nearest = timesAround({ day, hour, minute }, issued).reduce((a, b) =>
    distance(b, issued) < distance(a, issued) ? b : a,
  );
  return new Date(nearest).toISOString();
};

const distance = (ms: number, from: Date): number => Math.abs(ms - from.getTime());
