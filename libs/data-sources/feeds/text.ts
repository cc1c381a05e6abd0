import { SourceError } from '#domain/source-error.ts';

/**
 * Control characters that text may contain: white space, the framing of teletype reports (SOH, STX, ETX, BEL), the
 * end-of-file mark of DOS, and the separators of message files.
 */
const allowed = new Set([0x01, 0x02, 0x03, 0x07, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1a, 0x1c, 0x1d, 0x1e]);

/** Throws SourceError CORRUPT for octets that no text of a source contains, in any of its encodings. */
export const assertText = (bytes: Uint8Array, what: string): void => {
  const at = bytes.findIndex((octet) => (octet < 0x20 && !allowed.has(octet)) || octet === 0x7f);
  if (at < 0) return;
  const octet = (bytes[at] ?? 0).toString(16).padStart(2, '0');
  throw new SourceError(
    'CORRUPT',
    `${what} contains binary data, not text (octet ${octet} at position ${at}).`,
  );
};
