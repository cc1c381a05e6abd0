/** Times of the card gateway are local to the account: `GMT+02:00`. */

/** Minutes east of Greenwich of `GMT+02:00`; null for anything else. */
const offsetMinutes = (zone: string): number | null => {
  const found = /^GMT([+-])(\d\d):(\d\d)$/.exec(zone);
  if (!found) return null;
  const minutes = Number(found[2]) * 60 + Number(found[3]);
  return found[1] === '-' ? -minutes : minutes;
};

const lastTime = new Date('9999-12-31T23:59:59Z');

/** `YYYY-MM-DD[ HH:MM:SS]` or `YYYYMMDDHHMMSS` in this zone; null for anything else. */
export const accountTime = (text: string | null, zone: string): Date | null => {
  const found = /^(\d{4})-?(\d\d)-?(\d\d)(?:[ T]?(\d\d):?(\d\d):?(\d\d))?$/.exec(text ?? '');
  if (!found) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  // Lifetime licences end with the calendar.
  if (year >= 9999) return lastTime;
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  const local = new Date(ms);
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return null;
  return new Date(ms - (offsetMinutes(zone) ?? 0) * 60_000);
};

export interface AccountEnd {
  endsAt: Date;
  /** It names a day, which lasts until its end in this zone. */
  isEndDay: boolean;
}

export const accountEnd = (text: string | null, zone: string): AccountEnd | null => {
  const at = accountTime(text, zone);
  if (!at) return null;
  const isEndDay = at < lastTime && /^(?:[\d-]{10}|\d{8})$/.test(text ?? '');
  return { endsAt: isEndDay ? new Date(at.getTime() + 86_399_000) : at, isEndDay };
};

/** What a licence says of its end; one for a lifetime is not billed again. */
export const endFields = (end: AccountEnd | null): Partial<AccountEnd & { nextBillingAt: Date | null }> =>
  end ? { ...end, nextBillingAt: end.endsAt < lastTime ? end.endsAt : null } : {};

/** `YYYY-MM-DD HH:MM:SS` in this zone. */
export const inAccountTime = (at: Date, zone: string): string =>
  new Date(at.getTime() + (offsetMinutes(zone) ?? 0) * 60_000).toISOString().slice(0, 19).replace('T', ' ');
