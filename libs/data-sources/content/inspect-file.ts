import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { isMediaType } from '#domain/library/media-types.ts';
import type { MediaType } from '#domain/library/media-types.ts';
import { contentType, sampleBytes } from './content-type.ts';
import { inspectorOf } from './inspectors.ts';
import { ContentError } from './walk.ts';

export interface InspectedFile {
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

/** Reads a whole file of the disk as an upload is read. Throws `ContentError` for what the library does not store. */
export const inspectFile = async (path: string): Promise<InspectedFile> => {
  const type = await contentType(await beginning(path));
  if (type === undefined || !isMediaType(type))
    throw new ContentError('this is not a PDF, JPG, PNG, GIF, WebP or SVG');
  const inspector = inspectorOf(type);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    inspector.push(chunk);
    hash.update(chunk);
    bytes += chunk.length;
  }
  inspector.end();
  return { type, bytes, sha256: hash.digest('hex') };
};
