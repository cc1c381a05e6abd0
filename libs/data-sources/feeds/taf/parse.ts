import { bestPerStation, replacesTaf } from '#domain/weather/selection.ts';
import type { ParseResult, TafRecord } from '#domain/weather/types.ts';
import { readAwcCache } from '../../weather/awc-xml.ts';
import type { AwcElement } from '../../weather/awc-xml.ts';
import { readCycleFile } from '../../weather/noaa-cycle.ts';
import { readReportList } from '../../weather/report-list.ts';
import { tafRecord } from '../../weather/reports.ts';

const ofAwc = (r: AwcElement, now: Date) =>
  tafRecord(
    {
      raw: r['raw_text'],
      station: r['station_id'],
      time: r['issue_time'],
      validFrom: r['valid_time_from'],
      validTo: r['valid_time_to'],
    },
    'AWC',
    now,
  );

const readAny = (text: string, now: Date): ParseResult<TafRecord> => {
  const start = text.slice(0, 2_000).trimStart();
  if (start.startsWith('<')) return readAwcCache(text, 'TAF', (r) => ofAwc(r, now));
  return /^\d{4}\/\d\d\/\d\d \d\d:\d\d/.test(start)
    ? readCycleFile(text, 'TAF', (r) => tafRecord(r, 'NOAA', now))
    : readReportList(text, 'taf', (r) => tafRecord(r, 'FILE', now));
};

/**
 * TAFs in any format, identified by content: AWC cache XML (schema 1.2 and 2.0), NOAA cycle file, or a list (one report
 * per line, or JSON of texts or of objects with `taf`). Returns one report per station: the latest issue, amended
 * before original. Throws SourceError when nothing may be stored.
 */
export const parseTafs = (text: string, now: Date): ParseResult<TafRecord> => {
  const { records, rejects } = readAny(text, now);
  return { records: bestPerStation(records, replacesTaf), rejects };
};
