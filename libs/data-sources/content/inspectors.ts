/** What checks the whole content of a file, by its type. */
import type { MediaType } from '#domain/library/media-types.ts';
import { gif, jpeg, png, webp } from './images.ts';
import { pdf } from './pdf.ts';
import { svgInspector } from './svg.ts';
import { walk } from './walk.ts';
import type { Inspector } from './walk.ts';

const inspectors: Readonly<Record<MediaType, () => Inspector>> = {
  'application/pdf': () => walk(pdf),
  'image/jpeg': () => walk(jpeg),
  'image/png': () => walk(png),
  'image/gif': () => walk(gif),
  'image/webp': () => walk(webp),
  'image/svg+xml': svgInspector,
};

export const inspectorOf = (type: MediaType): Inspector => inspectors[type]();
