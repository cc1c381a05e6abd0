/** The media type of a file by its content, and the check of the whole content. */
import { fileTypeFromBuffer } from 'file-type';
import type { MediaType } from '#domain/library/media-types.ts';
import { gif, jpeg, png, webp } from './images.ts';
import { pdf } from './pdf.ts';
import { svgInspector } from './svg.ts';
import { walk } from './walk.ts';
import type { Inspector } from './walk.ts';

/** Number of bytes needed to detect the type of a file. */
export const sampleBytes = 4_100;

/** Declarations, comments and instructions before the first element of an XML document. */
const prolog = /^\uFEFF?\s*(?:(?:<\?[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*(?:\[[\s\S]*?\]\s*)?>)\s*)*/i;

const isSvg = (sample: Buffer): boolean =>
  /^<(?:[\w-]{1,50}:)?svg[\s/>]/.test(sample.toString('utf8').replace(prolog, ''));

/** By the first bytes, regardless of any name. Undefined for what is not known. */
export const contentType = async (sample: Buffer): Promise<string | undefined> =>
  isSvg(sample) ? 'image/svg+xml' : (await fileTypeFromBuffer(sample))?.mime;

const inspectors: Readonly<Record<MediaType, () => Inspector>> = {
  'application/pdf': () => walk(pdf),
  'image/jpeg': () => walk(jpeg),
  'image/png': () => walk(png),
  'image/gif': () => walk(gif),
  'image/webp': () => walk(webp),
  'image/svg+xml': svgInspector,
};

export const inspectorOf = (type: MediaType): Inspector => inspectors[type]();
