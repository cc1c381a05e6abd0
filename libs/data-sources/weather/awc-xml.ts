import { XMLParser } from 'fast-xml-parser';
import type { ReportKind } from '#domain/weather/groups.ts';
import type { ParseResult } from '#domain/weather/types.ts';
import { collector } from './collect.ts';
import { SourceError, refuseHtml } from '#domain/source-error.ts';
import type { SourcedReport } from './reports.ts';

const versions = new Set(['1.2', '2.0']);
/** A TAF with all its forecast elements has some 20,000 characters. */
const maxRecordLength = 200_000;

// Values stay text: number parsing would convert a station id such as 1E50.
const recordParser = new XMLParser({ parseTagValue: false, ignoreAttributes: true, trimValues: true });

/**
 * Reads records from an AWC cache file, schema 1.2 or 2.0. Each record is cut out and parsed separately, so that an
 * invalid one becomes a reject and only one tree is in memory. Throws SourceError for web pages, other versions or
 * content, truncated files and files without records.
 */
export const readAwcCache = <T extends object>(
  xml: string,
  element: ReportKind,
  read: (report: SourcedReport) => T | string,
): ParseResult<T> => {
  checkEnvelope(xml, element);
  const open = `<${element}>`;
  const close = `</${element}>`;
  const found = collector<T>();
  for (const content of xml.split(open).slice(1)) {
    const end = content.indexOf(close);
    const report = end < 0 ? 'record is not closed' : reportOf(content.slice(0, end), element);
    found.add(typeof report === 'string' ? report : read(report), open + content);
  }
  return found.result(`The ${element} file contains no readable record`);
};

const checkEnvelope = (xml: string, element: ReportKind): void => {
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

/** The report in a record, or the reason for rejecting it. */
const reportOf = (content: string, element: ReportKind): SourcedReport | string => {
  const xml = `<${element}>${withoutForecasts(content)}</${element}>`;
  if (content.length > maxRecordLength) return `record of ${content.length} characters`;
  let parsed: unknown;
  try {
    parsed = recordParser.parse(xml);
  } catch (error) {
    return `not well formed: ${error instanceof Error ? error.message : String(error)}`;
  }
  const fields = (parsed as Record<string, unknown>)[element];
  if (typeof fields !== 'object' || fields === null) return 'record is empty';
  const textOf = (name: string): string | undefined => {
    const value = (fields as Record<string, unknown>)[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    raw: textOf('raw_text'),
    station: textOf('station_id'),
    time: textOf(element === 'METAR' ? 'observation_time' : 'issue_time'),
    validFrom: textOf('valid_time_from'),
    validTo: textOf('valid_time_to'),
  };
};

/** Drops the decoded forecast elements, which are unreliable (out of order, inherited values). */
const withoutForecasts = (xml: string): string => {
  const from = xml.indexOf('<forecast>');
  const to = xml.lastIndexOf('</forecast>');
  return from < 0 || to < from ? xml : xml.slice(0, from) + xml.slice(to + '</forecast>'.length);
};
