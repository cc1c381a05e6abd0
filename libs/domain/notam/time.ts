export interface NotamTime {
  /** ISO 8601 in UTC, null for PERM. */
  utc: string | null;
  isEstimated: boolean;
}

const isoOf = (year: number, month: number, day: number, hour: number, minute: number): string | null => {
  const time = new Date(Date.UTC(year, month - 1, day, hour, minute));
  const same = time.getUTCMonth() === month - 1 && time.getUTCDate() === day && hour <= 24 && minute <= 59;
  return same || (hour === 24 && minute === 0) ? time.toISOString() : null;
};

const forms = [
  /^(?<year>\d\d(?:\d\d)?)(?<month>\d\d)(?<day>\d\d)(?<hour>\d\d)(?<minute>\d\d)$/,
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)[T ](?<hour>\d\d):(?<minute>\d\d)(?::\d\d(?:\.\d+)?)?Z?$/,
  /^(?<day>\d\d) (?<month>\d\d) (?<year>\d{4}) (?<hour>\d\d):(?<minute>\d\d)$/,
];

/** The year with these two digits within 50 years of `now`; without `now`, in this century. */
const fullYear = (year: number, now: Date | undefined): number => {
  if (year >= 100) return year;
  const near = now?.getUTCFullYear() ?? 2_049;
  return near - 49 + ((((year - near + 49) % 100) + 100) % 100);
};

/**
 * Parses a NOTAM time: YYMMDDHHMM, YYYYMMDDHHMM, ISO or "DD MM YYYY HH:MM", in UTC, optionally with EST; or PERM. Some
 * sources write permanent as the last 32-bit second, 2038-01-19 03:14. Null when unreadable.
 */
export const parseNotamTime = (text: string, now?: Date): NotamTime | null => {
  const collapsed = text.replace(/\s+/g, ' ').trim().toUpperCase();
  const isEstimated = /EST\.?$/.test(collapsed);
  const plain = collapsed.replace(/\s*EST\.?$/, '').replace(/(?:\s*UTC)$/, '');
  if (/^(PERM|UFN)$/.test(plain)) return { utc: null, isEstimated: plain === 'UFN' };
  const found = forms.map((form) => form.exec(plain)?.groups).find((groups) => groups !== undefined);
  if (!found) return null;
  const of = (name: string): number => Number(found[name]);
  const utc = isoOf(fullYear(of('year'), now), of('month'), of('day'), of('hour'), of('minute'));
  if (utc === null) return null;
  return utc.startsWith('2038-01-19T03:14') ? { utc: null, isEstimated: false } : { utc, isEstimated };
};

const halfYearMs = 183 * 86_400_000;

/** A time without a year, in the year that brings it nearest to `near`; ISO 8601. */
export const timeNear = (
  month: number,
  [day = 0, hour = 0, minute = 0]: readonly number[],
  near: string,
): string | null => {
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || minute > 59) return null;
  const nearMs = Date.parse(near);
  const year = new Date(nearMs).getUTCFullYear();
  const times = [year - 1, year, year + 1].map((one) => Date.UTC(one, month - 1, day, hour, minute));
  const found = times.find((ms) => Math.abs(ms - nearMs) <= halfYearMs);
  return found === undefined ? null : new Date(found).toISOString();
};
