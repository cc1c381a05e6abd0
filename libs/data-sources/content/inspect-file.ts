import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { isMediaType } from '#domain/library/media-types.ts';
import type { MediaType } from '#domain/library/media-types.ts';
import { contentType, sampleBytes } from './content-type.ts';
import { pdf } from './pdf.ts';
import { gif, jpeg, png, webp } from './pictures.ts';
import { incomplete, refuse, withSource } from './source.ts';
import type { Source } from './source.ts';
import { svg } from './svg.ts';

/** Each returns where the file ends by its format; only padding may follow. */
const formats: Readonly<Record<MediaType, (source: Source) => Promise<number>>> = {
  'application/pdf': pdf,
  'image/jpeg': jpeg,
  'image/png': png,
  'image/gif': gif,
  'image/webp': webp,
  'image/svg+xml': svg,
};

/** More than any chart; a client that decodes needs 4 bytes a pixel. */
const maxChartPixels = 100_000_000;

let last: Promise<unknown> = Promise.resolve();

/** Reads a complete file, one at a time in a process. Throws `ContentError` for what is not a whole, single, harmless file of its type. */
export const inspect = (path: string, type: MediaType, maxPixels = maxChartPixels): Promise<void> => {
  const mine = last.then(() =>
    withSource(path, maxPixels, async (source) => {
      const end = await formats[type](source);
      if (end > source.size) incomplete();
      if (end < source.filled) refuse('there is something after the end of the file', 'save it without that');
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

/** A file of the disk, as an upload. Throws `ContentError` for what the library does not store. */
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
