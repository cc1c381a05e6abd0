import { XMLParser } from 'fast-xml-parser';
import type { ParseResult } from '#domain/weather/types.ts';
import { collector } from './collect.ts';
import { SourceError, refuseHtml } from '#domain/source-error.ts';

const versions = new Set(['1.2', '2.0']);
const sampleLength = 120;
/** A TAF with all its forecast elements has some 20,000 characters. */
const maxRecordLength = 200_000;
const notFound = Number.POSITIVE_INFINITY;

const asFound = (index: number): number => (index < 0 ? notFound : index);

// Values stay text: number parsing would convert a station id such as 1E50.
const recordParser = new XMLParser({ parseTagValue: false, ignoreAttributes: true, trimValues: true });

/** The text children of one METAR or TAF element. */
export type AwcElement = Readonly<Record<string, string | undefined>>;

/**
 * Reads records from an AWC cache file, schema 1.2 or 2.0. Each record is cut out and parsed separately, so that an
 * invalid one becomes a reject and only one tree is in memory. Elements outside `wanted` are dropped. Throws
 * SourceError for web pages, other versions or content, truncated files and files without records.
 */
export const readAwcCache = <T>(
  xml: string,
  element: 'METAR' | 'TAF',
  read: (record: AwcElement) => T | string,
): ParseResult<T> => {
  checkEnvelope(xml, element);
  const open = `<${element}>`;
  const close = `</${element}>`;
  const found = collector<T>();
  let at = xml.indexOf(open);
  let end = -1;
  while (at >= 0) {
    const next = xml.indexOf(open, at + open.length);
    // Searches for the next end only after the last one found has been passed, so that no octet is scanned twice.
    if (end !== notFound && end < at) end = asFound(xml.indexOf(close, at));
    const isClosed = end !== notFound && (next < 0 || end < next);
    const record = isClosed
      ? readRecord(xml.slice(at, end + close.length), element, read)
      : 'record is not closed';
    if (typeof record === 'string') found.reject(record, xml.slice(at, at + sampleLength));
    else found.accept(record.value);
    at = next;
  }
  return found.result(`The ${element} file contains no readable record`);
};

const checkEnvelope = (xml: string, element: 'METAR' | 'TAF'): void => {
  refuseHtml(xml);
  const root = /<response\b[^>]*>/.exec(xml.slice(0, 4_000))?.[0];
  if (!root) throw new SourceError('NOT_XML', 'The file does not start with an AWC response element.');
  const version = /\bversion="([^"]*)"/.exec(root)?.[1] ?? 'none';
  if (!versions.has(version)) {
    throw new SourceError(
      'SCHEMA_VERSION',
      `AWC schema version ${version} is not supported (supported: 1.2, 2.0).`,
    );
  }
  const source = /<data_source\s+name="([^"]*)"/.exec(xml.slice(0, 4_000))?.[1] ?? element;
  if (!source.toUpperCase().startsWith(element)) {
    throw new SourceError('WRONG_CONTENT', `The file holds ${source} data, not ${element}.`);
  }
  if (!xml.slice(-200).includes('</response>')) {
    throw new SourceError('TRUNCATED', 'The file ends before its closing element.');
  }
};

const readRecord = <T>(
  xml: string,
  element: string,
  read: (record: AwcElement) => T | string,
): { value: T } | string => {
  if (xml.length > maxRecordLength) return `record of ${xml.length} characters`;
  let parsed: unknown;
  try {
    parsed = recordParser.parse(withoutForecasts(xml));
  } catch (error) {
    return `not well formed: ${error instanceof Error ? error.message : String(error)}`;
  }
  const fields = (parsed as Record<string, unknown>)[element];
  if (typeof fields !== 'object' || fields === null) return 'record is empty';
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) if (typeof value === 'string') texts[name] = value;
  const value = read(texts);
  return typeof value === 'string' ? value : { value };
};

/** Drops the decoded forecast elements, which are unreliable (out of order, inherited values). */
const withoutForecasts = (xml: string): string => {
  const from = xml.indexOf('<forecast>');
  const to = xml.lastIndexOf('</forecast>');
  return from < 0 || to < from ? xml : xml.slice(0, from) + xml.slice(to + '</forecast>'.length);
};
