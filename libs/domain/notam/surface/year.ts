const halfYearMs = 183 * 86_400_000;

/** A time without a year, in the one that brings it nearest to `near`; ISO 8601. */
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
