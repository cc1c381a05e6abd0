/** Times as clients write them: ISO 8601, also with a space in place of `T`. */
const form =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
const last = Date.parse('9999-12-31T23:59:59Z');

/** Date accepts 31 June as 1 July. */
const isDay = (day: string): boolean => {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
};

/** The instant in ISO 8601 and UTC with microseconds, UTC if no offset is given; null for anything else. */
export const instantText = (text: string): string | null => {
  const [, day, time = '00:00', second = '00', fraction = '', zone = 'Z'] = form.exec(text.trim()) ?? [];
  if (day === undefined || !isDay(day)) return null;
  const offset = zone.replace(
    /^([+-]\d{2}):?(\d{2})?$/,
    (_, hours: string, minutes = '00') => `${hours}:${minutes}`,
  );
  const digits = fraction.padEnd(6, '0');
  const ms = Date.parse(`${day}T${time}:${second}.${digits.slice(0, 3)}${offset.toUpperCase()}`);
  if (Number.isNaN(ms)) return null;
  // Clamped, since the database has no year 0.
  const date = new Date(Math.min(Math.max(ms, 0), last));
  return `${date.toISOString().slice(0, -1)}${digits.slice(3, 6)}Z`;
};
