import { parseTafs } from '#data/weather/report-file.ts';
import { tafWrites } from '#store/postgres/weather/reports.ts';
import type { TafRecord } from '#domain/weather/types.ts';
import { defineFeed } from '../define-feed.ts';
import { marked, parseReports, reportSources } from '../sources/reports.ts';

/** Somewhere a forecast is issued at any time, and everywhere at least every six hours. */
const oldestNewestMinutes = 7 * 60;

/** TAFs worldwide. A forecast remains until its station issues a newer one. */
export default defineFeed<string[], TafRecord[]>({
  name: 'taf',
  schedule: '*/10 * * * *',
  graceMinutes: 25,
  staleMinutes: 120,
  timeoutSeconds: 120,
  maxBytes: 32_000_000,
  guards: { compareWith: 'lastRun', ageMinutes: oldestNewestMinutes, dataName: 'forecast' },
  sources: (scope) =>
    reportSources(scope, {
      cache: scope.config.TAF_URL,
      cycles: scope.config.TAF_FALLBACK_URL,
      freshMinutes: 60,
      cycleHours: 6,
    }),
  parse: (texts, { now }) =>
    parseReports(
      texts,
      (text) => parseTafs(text, now),
      ({ issuedAt }) => issuedAt,
    ),
  store: (tx, records, scope) => tafWrites(tx).store(marked(records, scope), scope.now),
});
