import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { isMediaType } from '#domain/library/media-types.ts';
import type { MediaType } from '#domain/library/media-types.ts';
import { gif, jpeg, png, webp } from './pictures.ts';
import { incomplete, refuse, withSource, markup } from './source.ts';
import type { Source } from './source.ts';
import { svg } from './svg.ts';

const headBytes = 2_048;
const tailBytes = 2_048;
const version = /%PDF-[12]\.\d/;
/** Some programs repeat the end mark, and printer drivers add the end of their print job. */
const end = /startxref\s+\d+\s*%%EOF(?:%%EOF|%-12345X|@PJL[ -~]{0,80}\r?\n|[^!-\xfe])*(?:@PJL[ -~]{0,80})?$/;

const pdf = async ({ some, take, filled }: Source): Promise<number> => {
  const head = (await some(0, headBytes)).toString('latin1', 0, headBytes);
  if (!version.test(head)) refuse('this is not a PDF of a known version');
  if (markup.test(head)) refuse('the PDF begins like a web page');
  const from = Math.max(0, filled - tailBytes);
  if (!end.test((await take(from, filled - from)).toString('latin1')))
    refuse('the PDF is incomplete or there is something after the end of the file');
  return filled;
};

/** Number of bytes needed to detect the type of a file. */
export const sampleBytes = 4_100;

/** Declarations, comments and instructions before the first element of an XML document. */
const prolog = /^\uFEFF?\s*(?:(?:<\?[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*(?:\[[\s\S]*?\]\s*)?>)\s*)*/i;

const isSvg = (sample: Buffer): boolean =>
  /^<(?:[\w-]{1,50}:)?svg[\s/>]/.test(sample.toString('utf8').replace(prolog, ''));

/** Readers accept a header anywhere in the first 1,024 bytes (ISO 32000-2, annex I); texts that mention one are excluded. */
const pdfAfterOthers = /^(?!(?:\xef\xbb\xbf)?\s*[{["<#@])[\s\S]{0,1023}?%PDF-[12]\.\d/;

/** Detects the type from the first bytes, not the name. Undefined for unknown types. */
export const contentType = async (sample: Buffer): Promise<string | undefined> => {
  if (isSvg(sample)) return 'image/svg+xml';
  // Loaded only when a file is inspected.
  const { fileTypeFromBuffer } = await import('file-type');
  const mime = (await fileTypeFromBuffer(sample))?.mime;
  return mime ?? (pdfAfterOthers.test(sample.toString('latin1')) ? 'application/pdf' : undefined);
};

/** Each returns the position where its format ends; only padding may follow. */
const formats: Readonly<Record<MediaType, (source: Source) => Promise<number>>> = {
  'application/pdf': pdf,
  'image/jpeg': jpeg,
  'image/png': png,
  'image/gif': gif,
  'image/webp': webp,
  'image/svg+xml': svg,
};

/** Larger than any chart; a client needs 4 bytes per decoded pixel. */
const maxChartPixels = 100_000_000;

let last: Promise<unknown> = Promise.resolve();

/** Inspects one file at a time per process. Throws `ContentError` unless it is one whole, harmless file of its type. */
export const inspect = (path: string, type: MediaType, maxPixels = maxChartPixels): Promise<void> => {
  const mine = last.then(() =>
    withSource(path, maxPixels, async (source) => {
      const endAt = await formats[type](source);
      if (endAt > source.size) incomplete();
      if (endAt < source.filled)
        refuse('there is something after the end of the file', 'save it without that');
    }),
  );
  last = Promise.allSettled([mine]);
  return mine;
};

interface InspectedFile {
  type: MediaType;
  bytes: number;
  /** SHA-256 in hex. */
  sha256: string;
}

const beginning = async (path: string): Promise<Buffer> => {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sampleBytes), 0, sampleBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/** Inspects a file on disk like an upload. Throws `ContentError` for files that the library does not store. */
export const inspectFile = async (path: string): Promise<InspectedFile> => {
  const type = await contentType(await beginning(path));
  if (type === undefined || !isMediaType(type))
    return refuse('this is not a PDF, JPG, PNG, GIF, WebP or SVG', 'save it as one of these');
  await inspect(path, type);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { type, bytes, sha256: hash.digest('hex') };
};
