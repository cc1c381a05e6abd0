import { bestPerStation, replacesTaf } from '#domain/weather/selection.ts';
import type { ParseResult, TafRecord, WeatherSource } from '#domain/weather/types.ts';
import { readAwcCache } from '../../weather/awc-xml.ts';
import { readCycleFile } from '../../weather/noaa-cycle.ts';
import { readReportList } from '../../weather/report-list.ts';
import { tafRecord } from '../../weather/reports.ts';

/**
 * TAFs in any format, identified by content: AWC cache XML (schema 1.2 and 2.0), NOAA cycle file, or a list of
 * reports (text or JSON). One record per station: the latest issue, amended before original. Throws
 * FeedFormatError when nothing may be stored.
 */
export const parseTafs = (text: string, now: Date): ParseResult<TafRecord> => {
  const start = text.slice(0, 2_000).trimStart();
  if (start.startsWith('<')) return parseTafXml(text, now);
  return /^\d{4}\/\d\d\/\d\d \d\d:\d\d/.test(start) ? parseTafCycle(text, now) : parseTafList(text, now);
};

/** AWC `tafs.cache.xml`, unzipped. */
export const parseTafXml = (
  xml: string,
  now: Date,
  source: WeatherSource = 'AWC',
): ParseResult<TafRecord> => {
  const { records, rejects } = readAwcCache(xml, 'TAF', (r) =>
    tafRecord(
      {
        raw: r['raw_text'],
        station: r['station_id'],
        time: r['issue_time'],
        validFrom: r['valid_time_from'],
        validTo: r['valid_time_to'],
      },
      source,
      now,
    ),
  );
  return { records: bestPerStation(records, replacesTaf), rejects };
};

/** NOAA `forecasts/taf/cycles/HHZ.TXT`, read as latin-1. */
export const parseTafCycle = (text: string, now: Date): ParseResult<TafRecord> => {
  const { records, rejects } = readCycleFile(text, 'TAF', (r) => tafRecord(r, 'NOAA', now));
  return { records: bestPerStation(records, replacesTaf), rejects };
};

/** Reports alone, of unknown origin: one per line, or a JSON array of texts or of objects with `taf`. */
export const parseTafList = (
  text: string,
  now: Date,
  source: WeatherSource = 'FILE',
): ParseResult<TafRecord> => {
  const { records, rejects } = readReportList(text, 'taf', (r) => tafRecord(r, source, now));
  return { records: bestPerStation(records, replacesTaf), rejects };
};
