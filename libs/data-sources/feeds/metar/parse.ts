import { SourceError } from '#domain/source-error.ts';
import { bestPerStation, replacesMetar } from '#domain/weather/selection.ts';
import type { MetarRecord, ParseResult, WeatherSource } from '#domain/weather/types.ts';
import { readAwcCache } from '../../weather/awc-xml.ts';
import type { AwcElement } from '../../weather/awc-xml.ts';
import { readCycleFile } from '../../weather/noaa-cycle.ts';
import { readReportList } from '../../weather/report-list.ts';
import { metarRecord } from '../../weather/reports.ts';

const ofAwc = (r: AwcElement, now: Date) =>
  metarRecord({ raw: r['raw_text'], station: r['station_id'], time: r['observation_time'] }, 'AWC', now);

const best = (
  { records, rejects }: ParseResult<MetarRecord>,
  replaces = replacesMetar,
): ParseResult<MetarRecord> => ({ records: bestPerStation(records, replaces), rejects });

/**
 * METARs in any source format, identified by content: AWC cache XML (schema 1.2 and 2.0), NOAA cycle file, or a
 * network's list (one report per line, or JSON of texts or of objects with `metar`). Returns the newest report per
 * station. `source` names the network of a list. Throws SourceError when nothing may be stored.
 */
export const parseMetars = (
  text: string,
  now: Date,
  source: WeatherSource = 'VATSIM',
): ParseResult<MetarRecord> => {
  const start = text.slice(0, 2_000).trimStart();
  if (start.startsWith('<')) return best(readAwcCache(text, 'METAR', (r) => ofAwc(r, now)));
  // Cycle files repeat reports; the later line wins.
  if (/^\d{4}\/\d\d\/\d\d \d\d:\d\d/.test(start))
    return best(
      readCycleFile(text, 'METAR', (r) => metarRecord(r, 'NOAA', now)),
      (a, b) => a.observedAt === b.observedAt || replacesMetar(a, b),
    );
  if (/(?:^|\n)raw_text,/.test(start))
    throw new SourceError('WRONG_CONTENT', 'CSV of the AWC is not read; its XML has the same reports.');
  return best(readReportList(text, 'metar', (r) => metarRecord(r, source, now)));
};
