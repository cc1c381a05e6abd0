import { createHash } from 'node:crypto';
import { isSecretName } from './log.ts';

const blob = /^(?:data:[\w/+.-]+;base64,)?[A-Za-z0-9+/]{2048,}={0,2}$/;

const replacer = (name: string, value: unknown): unknown => {
  if (name !== '' && isSecretName(name) && value !== null && value !== undefined) return '[redacted]';
  if (typeof value === 'string' && value.length > 2_048 && blob.test(value)) {
    const digest = createHash('sha256').update(value).digest('hex').slice(0, 16);
    return `[${value.length} characters of base64, sha256 ${digest}…]`;
  }
  return value;
};

/**
 * JSON text of a value for the request log: secrets by name at any depth (M-5.8) and long base64 texts are
 * replaced, and a text over `maxBytes` is cut inside a valid JSON wrapper (M-8: 1 MB).
 */
export const redactedJson = (value: unknown, maxBytes = 1_000_000): string | null => {
  if (value === undefined || value === null) return null;
  const text = JSON.stringify(value, replacer);
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const cut = Buffer.from(text)
    .subarray(0, maxBytes - 256)
    .toString('utf8')
    .slice(0, maxBytes / 2);
  return JSON.stringify({ truncated: true, bytes: Buffer.byteLength(text), start: cut });
};
