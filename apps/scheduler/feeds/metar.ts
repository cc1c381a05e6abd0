import { parseMetars } from '#data/weather/report-file.ts';
import { metarWrites } from '#store/postgres/weather/reports.ts';
import { metarValidityMinutes } from '#domain/weather/times.ts';
import type { MetarRecord } from '#domain/weather/types.ts';
import { defineFeed } from '../define-feed.ts';
import { marked, parseReports, reportSources } from '../sources/reports.ts';

/** In both major outages of the cache files, the newest report stopped advancing. */
const oldestNewestMinutes = 20;

/** METARs worldwide. The source drops reports after 75 minutes; here they remain until a newer one arrives. */
export default defineFeed<string[], MetarRecord[]>({
  name: 'metar',
  schedule: '* * * * *',
  graceMinutes: 5,
  staleMinutes: 20,
  timeoutSeconds: 50,
  maxBytes: 16_000_000,
  guards: {
    compareWith: 'lastRun',
    ageMinutes: oldestNewestMinutes,
    manualAgeMinutes: metarValidityMinutes,
    dataName: 'report',
  },
  sources: (scope) => {
    const { METAR_URL, METAR_FALLBACK_URL, METAR_NETWORK_URL } = scope.config;
    return reportSources(scope, {
      cache: METAR_URL,
      cycles: METAR_FALLBACK_URL,
      list: METAR_NETWORK_URL,
      freshMinutes: oldestNewestMinutes,
    });
  },
  parse: (texts, { now, override }) => {
    // A list does not name its origin: the configured one comes from VATSIM, one on the command line is a file.
    const listSource = override === undefined ? 'VATSIM' : 'FILE';
    return parseReports(
      texts,
      (text) => parseMetars(text, now, listSource),
      ({ observedAt }) => observedAt,
    );
  },
  store: (tx, records, scope) => metarWrites(tx).store(marked(records, scope), scope.now),
});
