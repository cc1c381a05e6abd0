/** Single values as written by planners and converters: numbers as texts, `{}` for nothing, text in a member. */
import { isoSeconds } from '../time.ts';
import { etoMs } from '../winds/eto.ts';

export type Scalar = string | number | boolean;

/** Members in which XML converters put the text of an element with attributes. */
const textMembers = ['#text', '_', '$t', '__text', '0', 'value'];

/** The single value, or null if absent, null, blank, `{}` or `[]`. Of a list, the first that is not empty. */
export const scalarOf = (value: unknown, depth = 0): Scalar | null => {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null || depth > 3) return null;
  if (Array.isArray(value)) {
    for (const entry of value.slice(0, 100)) {
      const scalar = scalarOf(entry, depth + 1);
      if (scalar !== null) return scalar;
    }
    return null;
  }
  const member = textMembers.find((name) => Object.hasOwn(value, name));
  return member === undefined ? null : scalarOf((value as Record<string, unknown>)[member], depth + 1);
};

/** Placeholders of planners for a missing value. */
const placeholders = /^(?:n\/?a|nil|none|null|auto|-+|\.+|\?+)$/i;
const maxNumberLength = 40;
const number = /^([+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:e[+-]?\d{1,3})?)\s*[a-z%°]{0,6}\.?$/i;

/** Null for nothing, NaN for anything but a number. `12,345`, `500 kgs`, `M012` (minus) and `P05` are numbers. */
export const numberOf = (value: Scalar | null): number | null => {
  if (value === null || typeof value === 'boolean') return value === null ? null : Number(value);
  if (typeof value === 'number') return value;
  const text = value.trim();
  if (placeholders.test(text)) return null;
  if (text.length > maxNumberLength) return Number.NaN;
  const [, sign, amount] = /^([mp])(\d{1,6})$/i.exec(text) ?? [];
  if (amount !== undefined) return Number(amount) * (sign?.toLowerCase() === 'm' ? -1 : 1);
  const digits = number.exec(text)?.[1];
  return digits === undefined || !/\d/.test(digits) ? Number.NaN : Number(digits.replaceAll(',', ''));
};

const earliestMs = Date.UTC(1990, 0, 1);
const latestMs = Date.UTC(2100, 0, 1);

/**
 * Unix seconds or milliseconds, or ISO 8601, as ISO 8601 with Z. Null for nothing or 0, undefined for anything but a
 * time.
 */
export const timeOf = (value: Scalar | null): string | null | undefined => {
  if (value === null || typeof value === 'boolean') return null;
  const text = String(value).trim();
  if (placeholders.test(text) || /^0+(?:\.0*)?$/.test(text)) return null;
  const ms = etoMs(/^\d+(?:\.\d*)?$/.test(text) ? Number(text) : text) ?? Date.parse(text);
  if (!(ms >= earliestMs && ms <= latestMs)) return undefined;
  return isoSeconds(ms);
};

/** The time this many seconds later, as ISO 8601 with Z; null if either is unknown. */
export const laterBy = (at: string | null, seconds: number | null): string | null =>
  at === null || seconds === null ? null : isoSeconds(Date.parse(at) + seconds * 1_000);

/** Seconds from a number, or from `5:30`, `05:30:15`, `-00:00:15`; null and NaN as in `numberOf`. */
export const secondsOf = (value: Scalar | null): number | null => {
  const clock =
    typeof value === 'string' ? /^([+-]?)(\d{1,3}):(\d{2})(?::(\d{2}))?$/.exec(value.trim()) : null;
  if (!clock) return numberOf(value);
  const seconds = Number(clock[2]) * 3_600 + Number(clock[3]) * 60 + Number(clock[4] ?? 0);
  return clock[1] === '-' ? -seconds : seconds;
};
