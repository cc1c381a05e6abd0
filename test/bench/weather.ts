import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parseMetars } from '#data/weather/report-file.ts';
import { decodeMetar } from '#tools/decoded-report.ts';
import { metarResponse } from '#data/weather/metar-response.ts';

/** Stations in a worldwide file. */
const stationCount = 5_000;
/** Milliseconds of one core that fetching, decoding and storing a worldwide file may take in total. */
const budgetMs = 3_000;

const ownReports = [
  'METAR EGLL 161420Z AUTO 24012G25KT 200V280 9999 -RA FEW012 BKN025 12/08 Q1013 TEMPO 4000 RA BKN008',
  'METAR KJFK 161451Z 31015G25KT 10SM FEW050 SCT250 21/13 A3020 RMK AO2 SLP227 T02060133',
  'SPECI UWLW 161400Z 28009G14MPS 1500 0800SW R20/0450N +SN OVC009 M02/M03 Q0990 R20/890355 NOSIG RMK QFE738/0984',
  'METAR LFMC 161430Z AUTO VRB03KT CAVOK 32/17 Q1012 NOSIG',
];

/** Real reports where sample data exist, generated ones elsewhere, under different station names. */
const reports = (): string[] => {
  const file = join(process.env['SHARED_DATA'] ?? '../shared/data', 'weather/metars.txt');
  if (!existsSync(file))
    return Array.from({ length: stationCount }, (_, i) => ownReports[i % ownReports.length] ?? '');
  const lines = readFileSync(file, 'latin1').split('\n');
  const step = lines.length / stationCount;
  return Array.from({ length: stationCount }, (_, i) => lines[Math.floor(i * step)] ?? '');
};

const worldFile = (): Buffer => {
  const records = reports().map((raw, i) => {
    const station = i.toString(36).toUpperCase().padStart(4, 'A');
    const text = raw
      .replace(/^((?:METAR |SPECI )?(?:COR )?)[A-Z0-9]{4}/, `$1${station}`)
      // A report whose time differs from that of its record is refused.
      .replace(/\b\d{6}Z/, '161430Z')
      .replaceAll('&', '&amp;');
    return (
      `<METAR><raw_text>${text.replaceAll('<', '&lt;')}</raw_text><station_id>${station}</station_id>` +
      '<observation_time>2026-09-16T14:30:00.000Z</observation_time><latitude>47.4500</latitude>' +
      '<longitude>8.5500</longitude><temp_c>12</temp_c><dewpoint_c>8</dewpoint_c>' +
      '<wind_dir_degrees>240</wind_dir_degrees><wind_speed_kt>12</wind_speed_kt>' +
      '<visibility_statute_mi>6+</visibility_statute_mi><altim_in_hg>29.92</altim_in_hg>' +
      '<sky_condition sky_cover="FEW" cloud_base_ft_agl="1200"/><flight_category>VFR</flight_category>' +
      '<metar_type>METAR</metar_type><elevation_m>25</elevation_m></METAR>'
    );
  });
  return gzipSync(
    '<?xml version="1.0" encoding="UTF-8"?><response version="2.0"><data_source name="metar"/>' +
      `<data num_results="${records.length}">${records.join('')}</data></response>`,
  );
};

const megabytes = (n: number): string => (n / 1e6).toFixed(1);

const timed = <T>(work: () => T): { ms: number; result: T } => {
  const start = performance.now();
  const result = work();
  return { ms: performance.now() - start, result };
};

/**
 * A worldwide METAR file: unzipped, parsed, decoded, answered with two runways. Fails if it exceeds the
 * budget.
 */
export const run = async (): Promise<void> => {
  const zipped = worldFile();
  const now = new Date('2026-09-16T14:45:00Z');
  const runways = [
    { ident: '09L', trueBearingDeg: 89.6 },
    { ident: '27R', trueBearingDeg: 269.6 },
  ];
  const unzip = timed(() => gunzipSync(zipped).toString('utf8'));
  const parse = timed(() => parseMetars(unzip.result, now));
  const { records, rejects } = parse.result;
  const decode = timed(() => {
    for (const record of records) decodeMetar(record.raw);
  });
  const rssMegabytes = megabytes(process.memoryUsage.rss());
  const answer = timed(() => {
    for (const record of records) metarResponse(record, runways, now);
  });
  const totalMs = unzip.ms + parse.ms + decode.ms;
  console.log(
    `world METAR file: ${records.length} stations, ${rejects.length} rejected, ${megabytes(unzip.result.length)} MB`,
  );
  console.log(
    `  unzip ${unzip.ms.toFixed(0)} ms, parse ${parse.ms.toFixed(0)} ms, decode ${decode.ms.toFixed(0)} ms`,
  );
  console.log(`  ${Math.round((records.length / decode.ms) * 1000)} reports/s decoded, first run`);
  console.log(`  answer with two runways ${((answer.ms * 1000) / records.length).toFixed(0)} us each`);
  console.log(`  RSS ${rssMegabytes} MB after decoding`);
  console.log(
    `  unzip, parse and decode ${totalMs.toFixed(0)} ms of ${budgetMs} ms: ${totalMs < budgetMs ? 'ok' : 'TOO SLOW'}`,
  );
  if (records.length < 0.95 * stationCount)
    throw new Error('Most reports were refused: nothing was measured.');
  if (totalMs >= budgetMs) throw new Error('A world METAR file takes too long.');
  await Promise.resolve();
};
