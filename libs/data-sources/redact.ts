import { createHash } from 'node:crypto';
import { isSecretName, secretNames } from './log.ts';

const blob = /^(?:data:[\w/+.-]+;base64,)?[A-Za-z0-9+/]{2048,}={0,2}$/;

const replacer = (name: string, value: unknown): unknown => {
  if (name !== '' && isSecretName(name) && value !== null && value !== undefined) return '[redacted]';
  if (typeof value === 'string' && value.length > 2_048 && blob.test(value)) {
    const digest = createHash('sha256').update(value).digest('hex').slice(0, 16);
    return `[${value.length} characters of base64, sha256 ${digest}…]`;
  }
  return value;
};

const secretWord = new RegExp(`token|"(?:${secretNames.join('|')})"`, 'i');

const isBase64 = (code: number): boolean =>
  (code >= 47 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 43;

const hasBlob = (text: string): boolean => {
  if (text.length < 2_048) return false;
  for (let i = 0, run = 0; i < text.length; i += 1) {
    run = isBase64(text.charCodeAt(i)) ? run + 1 : 0;
    if (run >= 2_048) return true;
  }
  return false;
};

/** True when a JSON text may hold a secret name or a long base64 text; a false alarm only costs the walk. */
const isSuspicious = (text: string): boolean => secretWord.test(text) || hasBlob(text);

const cut = (text: string, maxBytes: number): string => {
  // Every character takes one byte at least, so short texts need no counting.
  if (text.length * 4 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  const start = Buffer.from(text)
    .subarray(0, maxBytes - 256)
    .toString('utf8')
    .slice(0, maxBytes / 2);
  return JSON.stringify({ truncated: true, bytes: Buffer.byteLength(text), start });
};

/**
 * JSON text of a value for the request log: secrets by name at any depth (M-5.8) and long base64 texts are
 * replaced, and a text over `maxBytes` is cut inside a valid JSON wrapper (M-8: 1 MB). A JSON text that exists
 * already is kept when nothing in it looks secret, which is cheaper than walking the value again.
 */
export const redactedJson = (value: unknown, known?: string, maxBytes = 1_000_000): string | null => {
  if (value === undefined || value === null) return null;
  const text = known !== undefined && !isSuspicious(known) ? known : JSON.stringify(value, replacer);
  return cut(text, maxBytes);
};
