import { bestPerStation, replacesTaf } from '#domain/weather/selection.ts';
import type { ParseResult, TafRecord } from '#domain/weather/types.ts';
import { readReports } from '../../weather/report-file.ts';
import { tafRecord } from '../../weather/reports.ts';

/** The latest TAF per station in a file of any format, amended before original. Throws SourceError. */
export const parseTafs = (text: string, now: Date): ParseResult<TafRecord> => {
  const { records, rejects } = readReports(text, 'TAF', 'FILE', (report, source) =>
    tafRecord(report, source, now),
  );
  return { records: bestPerStation(records, replacesTaf), rejects };
};
