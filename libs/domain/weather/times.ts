/** A METAR is current for 75 minutes; older ones are still shown. */
export const metarValidityMinutes = 75;

/** `YYYY-MM-DD HH:MM:SS` in UTC, the wire format of dates. */
export const utcText = (iso: string): string => new Date(iso).toISOString().slice(0, 19).replace('T', ' ');

/** True while a report observed at `observedAt` (ISO) is at most 75 minutes old. */
export const isMetarCurrent = (observedAt: string, now: Date): boolean =>
  now.getTime() - Date.parse(observedAt) <= metarValidityMinutes * 60_000;

/**
 * ISO time of a `ddhhmmZ` group: the latest such time not more than 30 minutes ahead of now. Null when no such
 * day exists in this month or the two before.
 */
export const timeFromGroup = (
  time: { day: number; hour: number; minute: number },
  now: Date,
): string | null => {
  const latest = now.getTime() + 30 * 60_000;
  for (let monthsBack = -1; monthsBack <= 2; monthsBack++) {
    const month = now.getUTCMonth() - monthsBack;
    const ms = Date.UTC(now.getUTCFullYear(), month, time.day, time.hour, time.minute);
    const candidate = new Date(ms);
    if (candidate.getUTCDate() === time.day && ms <= latest) return candidate.toISOString();
  }
  return null;
};

/**
 * ISO time of a day and hour in a forecast issued at `issuedAt`: the nearest such day, hour 24 being midnight at its
 * end. Without a day the next such hour counts.
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
    .filter(({ ms, first }) => ms - first <= daysIn(first) * 86_400_000);
  const nearest = candidates.reduce((a, b) => (distance(b.ms, issued) < distance(a.ms, issued) ? b : a));
  return new Date(nearest.ms).toISOString();
};

const daysIn = (firstOfMonthMs: number): number => {
  const first = new Date(firstOfMonthMs);
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
};

const distance = (ms: number, from: Date): number => Math.abs(ms - from.getTime());
