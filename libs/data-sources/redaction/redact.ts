/** Redaction of texts for logs: the pino logger and the request log use the same patterns. */
import { createHmac } from 'node:crypto';
import { isHarmless, redactJson } from './scan.ts';
import type { Redacted } from './scan.ts';
import { finished } from './steps.ts';
import type { Steps } from './steps.ts';

/** JSON with the length and the beginning of the text; at most `maxBytes` of UTF-8. */
const cutWrapper = (original: string, beginning: string, maxBytes: number): string => {
  // An escaped quote takes two bytes, so only half of the space is used.
  const start = Buffer.from(beginning.slice(0, maxBytes / 2)).subarray(0, maxBytes / 2 - 64);
  return JSON.stringify({
    truncated: true,
    bytes: Buffer.byteLength(original),
    start: start.toString('utf8'),
  });
};

const cut = (original: string, { text, isCut }: Redacted, maxBytes: number): string =>
  isCut || Buffer.byteLength(text) > maxBytes ? cutWrapper(original, text, maxBytes) : text;

/**
 * A JSON text for a log, in steps: secrets by name and by value, at any depth and inside JSON in strings, and
 * long base64 texts are replaced; a text over `maxBytes` of UTF-8 is truncated inside a valid JSON wrapper
 * (M-5.8, M-8.24).
 */
export const redacting = function* (text: string, maxBytes: number): Steps<string> {
  if (isHarmless(text)) return cut(text, { text, isCut: false }, maxBytes);
  return cut(text, yield* redactJson(text, maxBytes), maxBytes);
};

/** Runs `redacting` synchronously, for texts of some kilobytes. */
export const redactedText = (text: string, maxBytes: number): string => finished(redacting(text, maxBytes));

const digestLength = 65_536;

/**
 * HMAC-SHA-256 of a text in hex, in steps. Keyed, because the plain hash of a short body with a password would
 * allow guessing the password.
 */
export const digesting = function* (text: string, key: Buffer): Steps<string> {
  const hmac = createHmac('sha256', key);
  for (let at = 0; at < text.length;) {
    // Keeps both halves of a surrogate pair together.
    const isPair = (text.charCodeAt(at + digestLength - 1) & 0xfc00) === 0xd800;
    const end = at + digestLength - (isPair ? 1 : 0);
    hmac.update(text.slice(at, end));
    at = end;
    if (at < text.length) yield;
  }
  return hmac.digest('hex');
};
