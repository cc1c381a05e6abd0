/** The card gateway reports times in the account's time zone: `GMT+02:00`. */

/** Minutes east of Greenwich of `GMT+02:00`; null for anything else. */
const offsetMinutes = (zone: string): number | null => {
  const found = /^GMT([+-])(\d\d):(\d\d)$/.exec(zone);
  if (!found) return null;
  const minutes = Number(found[2]) * 60 + Number(found[3]);
  return found[1] === '-' ? -minutes : minutes;
};

const lastTime = new Date('9999-12-31T23:59:59Z');

/** Parses `YYYY-MM-DD[ HH:MM:SS]` or `YYYYMMDDHHMMSS` in this zone; null for other text. */
export const accountTime = (text: string | null, zone: string): Date | null => {
  const found = /^(\d{4})-?(\d\d)-?(\d\d)(?:[ T]?(\d\d):?(\d\d):?(\d\d))?$/.exec(text ?? '');
  if (!found) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  // Lifetime licences end in year 9999.
  if (year >= 9999) return lastTime;
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  const local = new Date(ms);
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return null;
  return new Date(ms - (offsetMinutes(zone) ?? 0) * 60_000);
};

export interface AccountEnd {
  endsAt: Date;
  /** The end is a day without a time: it lasts until midnight in this zone. */
  isEndDay: boolean;
}

export const accountEnd = (text: string | null, zone: string): AccountEnd | null => {
  const at = accountTime(text, zone);
  if (!at) return null;
  const isEndDay = at < lastTime && /^(?:[\d-]{10}|\d{8})$/.test(text ?? '');
  return { endsAt: isEndDay ? new Date(at.getTime() + 86_399_000) : at, isEndDay };
};

/** Formats `YYYY-MM-DD HH:MM:SS` in this zone. */
export const inAccountTime = (at: Date, zone: string): string =>
  new Date(at.getTime() + (offsetMinutes(zone) ?? 0) * 60_000).toISOString().slice(0, 19).replace('T', ' ');
