import { tafText } from '#domain/weather/decoded-text.ts';
import { highlight } from '#domain/weather/highlight.ts';
import { readReport } from '#domain/weather/report.ts';
import type { TafObject } from '#domain/weather/schema.ts';
import { utcText } from '#domain/weather/times.ts';
import type { TafRecord } from '#domain/weather/types.ts';
import { remarkSentences } from './remarks.ts';

/** The TAF object of the weather answer; `date` is the time of issue. */
export const tafResponse = (record: TafRecord, now: Date): TafObject => {
  const report = readReport(record.raw, 'TAF');
  const hasEnded = record.validTo !== null && Date.parse(record.validTo) <= now.getTime();
  return {
    report: 'TAF',
    icao: record.icao,
    source: record.source,
    date: utcText(record.issuedAt),
    text: record.raw,
    textHighlighted: highlight(report.tokens),
    decoded: tafText(report, record.issuedAt, remarkSentences(report.remarks), hasEnded),
    validityHasEnded: hasEnded,
  };
};
