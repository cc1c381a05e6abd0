const form =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** A date of the calendar: `2026-02-30` is none. */
const isDate = (date: string): boolean => {
  const parsed = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date);
};

const zoneOf = (zone: string | undefined): string => {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 'Z';
  const digits = zone.replace(':', '');
  return `${digits.slice(0, 3)}:${digits.slice(3) || '00'}`;
};

/** ISO 8601 date and time, with a space for `T` as well; UTC without a zone. Null for any other text. */
export const timeOfText = (text: string): Date | null => {
  const found = form.exec(text.trim());
  const [, date, minutes = '00:00', seconds = '00', fraction = '0', zone] = found ?? [];
  if (date === undefined || !isDate(date)) return null;
  const time = new Date(
    `${date}T${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${zoneOf(zone)}`,
  );
  return Number.isNaN(time.getTime()) ? null : time;
};
