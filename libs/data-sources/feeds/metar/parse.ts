import { bestPerStation, replacesMetar } from '#domain/weather/selection.ts';
import type { MetarRecord, ParseResult, WeatherSource } from '#domain/weather/types.ts';
import { readAwcCache } from '../../weather/awc-xml.ts';
import { readAwcCsv } from '../../weather/awc-csv.ts';
import { readCycleFile } from '../../weather/noaa-cycle.ts';
import { readReportList } from '../../weather/report-list.ts';
import { metarRecord } from '../../weather/reports.ts';

/**
 * METARs in any of the sources' formats, identified by content: AWC cache XML (schema 1.2 and 2.0), AWC cache
 * CSV, NOAA cycle file, a network's list of reports (text or JSON). One record per station, the newest.
 * `source` names the network of a list; the other formats identify themselves. Throws FeedFormatError when
 * nothing may be stored.
 */
export const parseMetars = (
  text: string,
  now: Date,
  source: WeatherSource = 'VATSIM',
): ParseResult<MetarRecord> => {
  const start = text.slice(0, 2_000).trimStart();
  if (start.startsWith('<')) return parseMetarXml(text, now);
  if (/^\d{4}\/\d\d\/\d\d \d\d:\d\d/.test(start)) return parseMetarCycle(text, now);
  if (/(?:^|\n)raw_text,station_id,/.test(start)) return parseMetarCsv(text, now);
  return parseMetarList(text, now, source);
};

/** AWC `metars.cache.xml`, unzipped. */
export const parseMetarXml = (
  xml: string,
  now: Date,
  source: WeatherSource = 'AWC',
): ParseResult<MetarRecord> => {
  const { records, rejects } = readAwcCache(xml, 'METAR', (r) =>
    metarRecord({ raw: r['raw_text'], station: r['station_id'], time: r['observation_time'] }, source, now),
  );
  return { records: bestPerStation(records, replacesMetar), rejects };
};

/** AWC `metars.cache.csv`, unzipped, with or without the preamble lines of the old files. */
export const parseMetarCsv = (csv: string, now: Date): ParseResult<MetarRecord> => {
  const { records, rejects } = readAwcCsv(csv, (r) =>
    metarRecord({ raw: r['raw_text'], station: r['station_id'], time: r['observation_time'] }, 'AWC', now),
  );
  return { records: bestPerStation(records, replacesMetar), rejects };
};

/** NOAA `HHZ.TXT`, read as latin-1: reports repeat, the later line counts. */
export const parseMetarCycle = (text: string, now: Date): ParseResult<MetarRecord> => {
  const { records, rejects } = readCycleFile(text, 'METAR', (r) => metarRecord(r, 'NOAA', now));
  return {
    records: bestPerStation(records, (a, b) => a.observedAt === b.observedAt || replacesMetar(a, b)),
    rejects,
  };
};

/** A network's reports: one per line, or a JSON array of texts or of objects with `metar`. */
export const parseMetarList = (text: string, now: Date, source: WeatherSource): ParseResult<MetarRecord> => {
  const { records, rejects } = readReportList(text, 'metar', (r) => metarRecord(r, source, now));
  return { records: bestPerStation(records, replacesMetar), rejects };
};
