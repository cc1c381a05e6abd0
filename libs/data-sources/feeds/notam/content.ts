import { parseNotamTexts } from '#domain/notam/parse.ts';
import { snowtamStart } from '#domain/notam/split.ts';
import type { NotamBatch } from '#domain/notam/types.ts';
import { SourceError } from '#domain/source-error.ts';
import { parseAixm } from './aixm.ts';
import { parseNotamGeoJson } from './geojson.ts';
import { pattern } from '#domain/notam/vocabulary.ts';

type NotamFormat = 'text' | 'geojson' | 'aixm';

const textStart = pattern`(?:^|\n)[ \t]*(?:!\s*[A-Z0-9]{2,4} |\(?(?:[A-Z]{4}[- ])?[A-Z]{1,2}\d{1,4}\/\d{2}\b|\d{1,2}\/\d{3,5}[ \t]+NOTAM|Q\)|${snowtamStart})`;

/** Identifies the format from the beginning of the content, not the file name. Null if unknown. */
export const notamFormatOf = (head: string): NotamFormat | null => {
  const text = head.trimStart();
  if (/^[[{]/.test(text)) return 'geojson';
  if (/^<(?:!doctype html|html|head|body)/i.test(text)) return null;
  if (text.startsWith('<')) return 'aixm';
  return textStart.test(text) ? 'text' : null;
};

/** Reads one unpacked NOTAM file in any format. Throws `SourceError` for an unknown format or a truncated file. */
export const parseNotamFile = async (name: string, bytes: Uint8Array, now?: Date): Promise<NotamBatch> => {
  const text = new TextDecoder().decode(bytes);
  const format = notamFormatOf(text.slice(0, 65_536));
  if (format === null) throw new SourceError('CORRUPT', `${name} contains no NOTAM (text, GeoJSON or AIXM).`);
  if (format === 'aixm') return parseAixm(text);
  return format === 'geojson' ? parseNotamGeoJson(text) : parseNotamTexts(text, now);
};
