import { parsePireps } from '#data/feeds/pirep/parse.ts';
import { pirepWrites } from '#store/postgres/weather/sigmets.ts';
import { pirepHours } from '#domain/weather/pirep.ts';
import type { Pirep } from '#domain/weather/pirep.ts';
import { addSeconds } from '#domain/time.ts';
import { defineFeed } from '../define-feed.ts';
import { parseReports, reportSources } from '../sources/reports.ts';

/** Reports arrive at all hours, most of them over the United States. */
const oldestNewestMinutes = 180;

/** Pilot and aircraft reports, kept for some hours. */
export default defineFeed<string[], Pirep[]>({
  name: 'pirep',
  schedule: '*/5 * * * *',
  graceMinutes: 30,
  staleMinutes: 180,
  timeoutSeconds: 60,
  maxBytes: 16_000_000,
  guards: { compareWith: 'lastRun', ageMinutes: oldestNewestMinutes, dataName: 'report' },
  sources: (scope) =>
    reportSources(scope, {
      cache: `${scope.config.AWC_URL}/data/cache/aircraftreports.cache.csv.gz`,
      cycles: undefined,
      freshMinutes: oldestNewestMinutes,
    }),
  parse: (texts, { now }) =>
    parseReports(
      texts,
      (text) => parsePireps(text, now),
      ({ observedAt }) => observedAt,
    ),
  store: (tx, records, { now }) => {
    const oldest = addSeconds(now, -pirepHours * 3_600).toISOString();
    const recent = records.filter(({ observedAt }) => observedAt >= oldest);
    return pirepWrites(tx).store(recent);
  },
});
