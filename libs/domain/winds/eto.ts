const isoPattern =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
/** Smaller Unix times are seconds (until the year 5138), larger ones milliseconds. */
const secondsLimit = 1e11;
const maxMs = 8.64e15;

/**
 * An ISO 8601 text (UTC without a zone, 00:00 without a time) or a Unix timestamp in seconds or milliseconds, as
 * milliseconds; null for neither.
 */
export const etoMs = (eto: string | number): number | null => {
  if (typeof eto === 'number') return unixMs(eto);
  const text = eto.trim();
  const match = isoPattern.exec(text);
  if (!match) return /^\d{9,13}$/.test(text) ? unixMs(Number(text)) : null;
  const part = (n: number): number => Number(match[n] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  if (month < 1 || month > 12 || day < 1 || hour > 24 || minute > 59 || second > 60) return null;
  // 24:00 is the end of the day; 24:01 is invalid.
  if (hour === 24 && (minute > 0 || second > 0)) return null;
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return null;
  const fractionMs = Math.floor(Number(`0.${match[7] ?? '0'}`) * 1000);
  const offset = offsetMinutes(match[8]);
  if (offset === null) return null;
  return Date.UTC(year, month - 1, day, hour, minute - offset, second, fractionMs);
};

const unixMs = (value: number): number | null => {
  const ms = Math.abs(value) < secondsLimit ? value * 1000 : value;
  return Number.isFinite(ms) && Math.abs(ms) <= maxMs ? Math.round(ms) : null;
};

const offsetMinutes = (zone: string | undefined): number | null => {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || 0);
  if (hours > 14 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
};
