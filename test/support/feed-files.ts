/** A valid, an outdated and a half-unreadable file for each feed, for tests of manual runs. */
import { gzipSync } from 'node:zlib';
import { makeHour, testCycleMs } from '#test/support/grib/gfs.ts';
import { overpassQuery } from '#data/feeds/osm/overpass.ts';
import { notamTexts, obstacleDat, overpassAnswer } from '#simulated/aerodromes.ts';
import { airportsCsv, awcMetars, awcTafs, runwaysCsv } from '#simulated/formats.ts';
import { vatsimData } from '#simulated/networks.ts';
import { pirepCsv } from '#simulated/pireps.ts';
import { sigmetList } from '#simulated/sigmets.ts';
import { simulatedAirports } from '#simulated/stations.ts';
import { addSeconds } from '#domain/time.ts';
import { forecastHours } from '#domain/winds/snapshot.ts';

export interface FeedFiles {
  /** Null: the feed accepts no file. */
  good: Buffer | null;
  old: Buffer;
  half: Buffer;
}

/** Applies `spoil` to every second line after the header. */
const everySecond = (text: string, headLines: number, spoil: (line: string) => string): string =>
  text
    .split('\n')
    .map((line, i) => (i < headLines || i % 2 === 0 ? line : spoil(line)))
    .join('\n');

const fixes = (cycle: string, latitude = (i: number): string => (40 + i / 100).toFixed(6)): string => {
  const lines = Array.from(
    { length: 60 },
    (_, i) => `${latitude(i)} -70.000000 QF${String(i).padStart(3, '0')} ENRT K6 2115159`,
  );
  return `I\n1101 Version - data cycle ${cycle}, build 20260807\n\n${lines.join('\n')}\n99\n`;
};

const grib = (cycleMs: number, hours: readonly number[] = forecastHours): Buffer =>
  Buffer.concat(
    hours.map((hour) => makeHour({ cycleMs, levelsHpa: [200, 300, 500], stepDeg: 90 }, hour).grib),
  );

/** The airports in these files, to be imported first. */
export const feedFileAirports = async () => (await simulatedAirports()).slice(0, 200);

/** Files by feed; `airports` and `runways` are the two files of one feed. */
export const feedFiles = async (now: Date): Promise<Record<string, FeedFiles>> => {
  const all = await feedFileAirports();
  const [first] = all;
  if (!first) throw new Error('the simulated world has no airport');
  const ago = (hours: number): Date => addSeconds(now, -hours * 3_600);
  const corners = [-0.03, 0.03].map((by) => ({
    latitudeDeg: first.latitudeDeg + by,
    longitudeDeg: first.longitudeDeg + by,
  }));
  const mapAt = (at: Date) => overpassAnswer(all, `data=${encodeURIComponent(overpassQuery(corners))}`, at);
  const elements = (JSON.parse(mapAt(now)) as { elements: unknown[] }).elements;
  const vatsim = JSON.parse(vatsimData(all, now, null)) as { atis: unknown[] };
  const zones = all.map(({ icao }) => `${icao},Europe/Paris`);
  const halfOf = (items: readonly unknown[]): unknown[] => items.map((item, i) => (i % 2 === 0 ? item : 5));
  const files: Record<string, [string | Buffer | null, string | Buffer, string | Buffer]> = {
    airports: [
      airportsCsv(all, null),
      airportsCsv(all.slice(0, 150), null),
      everySecond(airportsCsv(all, null), 1, (row) => row.replaceAll(/-?\d+\.\d+/g, 'x')),
    ],
    runways: [
      runwaysCsv(all, null),
      runwaysCsv(all.slice(0, 150), null),
      everySecond(runwaysCsv(all, null), 1, (row) => row.replaceAll(/\d+/g, 'x')),
    ],
    datis: [
      JSON.stringify(vatsim),
      vatsimData(all, ago(26), null),
      JSON.stringify({ ...vatsim, atis: halfOf(vatsim.atis) }),
    ],
    magvar: [null, '2015.0 WMM-2015 12/15/2014\n1 0 -29438.5 0 10.7 0\n', '2025.0 WMM-2025 11/13/2024\n'],
    map: [null, '{"type":"FeatureCollection","features":[]}', '{"type":"FeatureCollection","features":[5]}'],
    metar: [
      awcMetars(all, now, null),
      awcMetars(all, ago(14), null),
      awcMetars(all, now, null)
        .split('</METAR>')
        .map((record, i) => (i % 2 === 1 ? record : record.replace(/<raw_text>/, '<raw_text>TAF ')))
        .join('</METAR>'),
    ],
    navdata: [
      fixes('2609'),
      fixes('2601'),
      fixes('2609', (i) => (i % 2 === 0 ? (40 + i / 100).toFixed(6) : '95.5')),
    ],
    notam: [
      notamTexts(all, now),
      notamTexts(all, ago(24 * 400)),
      notamTexts(all, now)
        .split('\n\n')
        .map((text, i) => (i % 2 === 1 ? text : text.replace(/B\) \d+/, 'B) 2699999999')))
        .join('\n\n'),
    ],
    obstacles: [
      obstacleDat(all, now),
      obstacleDat(all, ago(24 * 400)),
      everySecond(obstacleDat(all, now), 4, (row) => row.replaceAll(/\d\d\.\d\d[NSEW]/g, 'xx.xxX')),
    ],
    osm: [mapAt(now), mapAt(ago(24 * 800)), JSON.stringify({ elements: halfOf(elements) })],
    pirep: [
      pirepCsv(now, null),
      pirepCsv(ago(30), null),
      everySecond(pirepCsv(now, null), 6, (row) => row.replaceAll(/\d{4}-\d\d-\d\dT/g, 'x')),
    ],
    sigmet: [
      sigmetList('isigmet', now, null),
      sigmetList('isigmet', ago(30), null),
      JSON.stringify(
        (JSON.parse(sigmetList('isigmet', now, null)) as object[]).map((record, i) =>
          i % 2 === 1 ? record : { ...record, validTimeTo: 'later' },
        ),
      ),
    ],
    taf: [
      awcTafs(all, now, null),
      awcTafs(all, ago(30), null),
      awcTafs(all, now, null)
        .split('</TAF>')
        .map((record, i) => (i % 2 === 1 ? record : record.replace(/<raw_text>.{0,9}TAF/, '<raw_text>METAR')))
        .join('</TAF>'),
    ],
    timezones: [
      `icao,tz\n${zones.join('\n')}\n`,
      // The table has no date; an old one names airports and zones that no longer exist.
      `icao,tz\n${zones.map((row) => row.replace('Paris', 'Old_Town')).join('\n')}\n`,
      `icao,tz\n${everySecond(zones.join('\n'), 0, (row) => row.replace('Paris', 'Nowhere'))}\n`,
    ],
    winds: [
      grib(testCycleMs),
      grib(testCycleMs - 6 * 3_600_000),
      grib(testCycleMs, forecastHours.slice(0, 5)),
    ],
  };
  return Object.fromEntries(
    Object.entries(files).map(([feed, [good, old, half]]) => [
      feed,
      { good: good === null ? null : Buffer.from(good), old: Buffer.from(old), half: Buffer.from(half) },
    ]),
  );
};

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Content that no feed accepts, made from a valid file. */
export const foreignBytes = (good: Buffer, readme: Buffer): Record<string, Buffer> => {
  const middle = good.length >> 1;
  const binary = Buffer.from(Array.from({ length: 96 }, (_, i) => (i * 37) % 256));
  const packed = gzipSync(good);
  return {
    empty: Buffer.alloc(0),
    png,
    'truncated gzip': packed.subarray(0, packed.length >> 1),
    html: Buffer.from('<!DOCTYPE html>\n<html><body>Please log in</body></html>\n'),
    readme,
    'binary in text': Buffer.concat([good.subarray(0, middle), binary, good.subarray(middle)]),
  };
};
