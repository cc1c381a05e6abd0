import { parseMetar } from 'metar-taf-parser';

/** A remark of 50,000 characters takes a millisecond; real ones have 200. */
const maxRemarkLength = 1_000;

/**
 * English sentences of the RMK part, by the library metar-taf-parser. Unknown remarks are returned as printed;
 * a text that it cannot parse at all is returned unchanged. Never throws.
 */
export const remarkSentences = (remarks: string | null): string[] => {
  if (remarks === null) return [];
  const text = remarks.slice(0, maxRemarkLength);
  try {
    const parsed = parseMetar(`ZZZZ 010000Z RMK ${text}`);
    return parsed.remarks.map((remark) => remark.description ?? remark.raw);
  } catch {
    // The library refuses some malformed remarks; the words themselves are still worth showing.
    return [text];
  }
};
