import { bestPerStation, replacesTaf } from '#domain/weather/selection.ts';
import type { ParseResult, TafRecord, WeatherSource } from '#domain/weather/types.ts';
import { readAwcCache } from '../../weather/awc-xml.ts';
import { readCycleFile } from '../../weather/noaa-cycle.ts';
import { tafRecord } from '../../weather/reports.ts';

/**
 * TAFs of either format, told apart by content: AWC cache XML (schema 1.2 and 2.0) or NOAA cycle file. One record
 * per station: the latest issue, amended before original. Throws FeedFormatError when nothing may be stored.
 */
export function parseTafs(text: string, now: Date): ParseResult<TafRecord> {
  return text.slice(0, 2_000).trimStart().startsWith('<') ? parseTafXml(text, now) : parseTafCycle(text, now);
}

/** AWC `tafs.cache.xml`, unzipped. */
export function parseTafXml(xml: string, now: Date, source: WeatherSource = 'AWC'): ParseResult<TafRecord> {
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
}

/** NOAA `forecasts/taf/cycles/HHZ.TXT`, read as latin-1. */
export function parseTafCycle(text: string, now: Date): ParseResult<TafRecord> {
  const { records, rejects } = readCycleFile(text, 'TAF', (r) => tafRecord(r, 'NOAA', now));
  return { records: bestPerStation(records, replacesTaf), rejects };
}
