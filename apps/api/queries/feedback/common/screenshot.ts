/** The screenshot of a feedback: base64 of a PNG image. */
import { crc32 } from 'node:zlib';
import { DomainError } from '#domain/errors.ts';

/** 2 MB, decoded (M-8.20). */
export const maxScreenshotBytes = 2_097_152;

const dataUrl = /^data:image\/png;base64,/i;
const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Line breaks and their indents are accepted, padding may be missing. */
const decoded = (base64: string): Buffer | null => {
  const text = base64.replaceAll(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  return text.replace(/=+$/, '').length % 4 === 1 ? null : Buffer.from(text, 'base64');
};

/** Signature, then chunks with valid checksums: first the header, with a size, image data, and the end (RFC 2083). */
const isPng = (bytes: Buffer): boolean => {
  if (!bytes.subarray(0, signature.length).equals(signature)) return false;
  let hasData = false;
  for (let at = signature.length; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const end = at + 8 + length;
    if (end + 4 > bytes.length) return false;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return false;
    if (at === signature.length) {
      const isSized = length === 13 && bytes.readUInt32BE(at + 8) > 0 && bytes.readUInt32BE(at + 12) > 0;
      if (type !== 'IHDR' || !isSized) return false;
    }
    hasData ||= type === 'IDAT';
    if (type === 'IEND') return hasData;
    at = end + 4;
  }
  return false;
};

/** The image. Throws SCREENSHOT_REQUIRED, INVALID_BASE64, SCREENSHOT_TOO_LARGE and INVALID_PNG. */
export const readScreenshot = (given: string): Buffer => {
  const base64 = given.trim().replace(dataUrl, '');
  if (base64.trim() === '') throw new DomainError('SCREENSHOT_REQUIRED');
  const bytes = decoded(base64);
  if (!bytes) throw new DomainError('INVALID_BASE64');
  if (bytes.length > maxScreenshotBytes) throw new DomainError('SCREENSHOT_TOO_LARGE');
  if (!isPng(bytes)) throw new DomainError('INVALID_PNG');
  return bytes;
};
