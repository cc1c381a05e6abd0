/** The screenshot of a feedback: base64 of a PNG image. */
import { png } from '#data/content/pictures.ts';
import { reasonOf, sourceInMemory } from '#data/content/source.ts';
import { DomainError } from '#domain/errors.ts';

/** 2 MB, decoded (M-8.20). */
const maxScreenshotBytes = 2_097_152;

const dataUrl = /^data:image\/png;base64,/i;
const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Line breaks and their indents are accepted, padding may be missing. */
const decoded = (base64: string): Buffer | null => {
  const text = base64.replaceAll(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  return text.replace(/=+$/, '').length % 4 === 1 ? null : Buffer.from(text, 'base64');
};

/** The image. Throws SCREENSHOT_REQUIRED, INVALID_BASE64, SCREENSHOT_TOO_LARGE and INVALID_PNG. */
export const readScreenshot = async (given: string): Promise<Buffer> => {
  const base64 = given.trim().replace(dataUrl, '');
  if (base64.trim() === '') throw new DomainError('SCREENSHOT_REQUIRED');
  const bytes = decoded(base64);
  if (!bytes) throw new DomainError('INVALID_BASE64');
  if (bytes.length > maxScreenshotBytes) throw new DomainError('SCREENSHOT_TOO_LARGE');
  if (!bytes.subarray(0, signature.length).equals(signature)) throw new DomainError('INVALID_PNG');
  const isPng = await png(sourceInMemory(bytes)).then(Boolean, (error) => !reasonOf(error));
  if (!isPng) throw new DomainError('INVALID_PNG');
  return bytes;
};
