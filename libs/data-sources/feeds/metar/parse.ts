import { SourceError } from '#domain/source-error.ts';
import { bestPerStation, replacesMetar } from '#domain/weather/selection.ts';
import type { MetarRecord, ParseResult, WeatherSource } from '#domain/weather/types.ts';
import { isCycleFile, readReports } from '../../weather/report-file.ts';
import { metarRecord } from '../../weather/reports.ts';

/** The newest METAR per station in a file of any format. `source` names the network of a list. Throws SourceError. */
export const parseMetars = (
  text: string,
  now: Date,
  source: WeatherSource = 'VATSIM',
): ParseResult<MetarRecord> => {
  if (/(?:^|\n)raw_text,/.test(text.slice(0, 2_000)))
    throw new SourceError('WRONG_CONTENT', 'CSV of the AWC is not read; its XML has the same reports.');
  const { records, rejects } = readReports(text, 'METAR', source, (report, from) =>
    metarRecord(report, from, now),
  );
  // Cycle files repeat reports; the later line wins.
  const isCycle = isCycleFile(text);
  const replaces = (a: MetarRecord, b: MetarRecord): boolean =>
    (isCycle && a.observedAt === b.observedAt) || replacesMetar(a, b);
  return { records: bestPerStation(records, replaces), rejects };
};
