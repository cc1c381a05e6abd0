import { AltimeterUnit, parseMetar, SpeedUnit } from 'metar-taf-parser';
import type { IMetar } from 'metar-taf-parser';
import { beforeAll, describe, expect, test } from 'vitest';
import { isDeep, sampled } from '#test/support/deep.ts';
import { sharedData } from '#test/support/shared-data.ts';
import { decodeMetar, decodeTaf } from '#tools/decoded-report.ts';
import type { DecodedReport } from '#tools/decoded-report.ts';

/**
 * Compares all reports in the shared data (or the reduced set) with two independent readers: patterns, and the library
 * metar-taf-parser.
 */
const data = sharedData('weather');
/** One in five reports; all in `npm run test:deep`. */
const every = data.either(isDeep ? 1 : 5, 1);
const lines = (file: string): string[] => data.lines(file, 'latin1');

/** The main part: no remarks, and nothing after the first trend word. */
const bodyOf = (raw: string): string => {
  const [beforeRemarks = ''] = raw.split(/ RMK/);
  const start = /\d{6}Z /.exec(beforeRemarks);
  const from = start ? start.index + start[0].length : 0;
  const body = beforeRemarks.slice(from);
  const trend = / (?:NOSIG|TEMPO|BECMG|INTER|PROB\d\d|FM\d{4})\b/.exec(` ${body}`);
  return ` ${trend ? body.slice(0, trend.index) : body} `.replaceAll(' ', '  ');
};

const all = (body: string, pattern: RegExp): string[] => [...body.matchAll(pattern)].map((m) => m[1] ?? '');
const signed = (text: string): number => Number(text.replace('M', '-')) + 0;

interface Expected {
  windSpeedKt: number;
  mps: boolean;
  windDir: number | null;
  gustKt: number | null;
  q: number | null;
  a: number | null;
  temperatureC: number | null;
  visibilityM: number | null;
  miles: number | null;
  cavok: boolean;
  clouds: number;
  weather: number;
  rvr: number;
  states: number;
  wind: boolean;
}

const expected = (raw: string): Expected => {
  const body = bodyOf(raw);
  const wind = / (\d{3}|VRB|\/\/\/)P?(\d{2,3})(?:GP?(\d{2,3}))?(KT|MPS|KMH) /.exec(body);
  const factor = { KT: 1, MPS: 1.943844, KMH: 0.539957 }[wind?.[4] ?? 'KT'] ?? 1;
  const q = / Q(\d{4}) /.exec(body);
  const a = / A(\d{4}) /.exec(body);
  const temperature = / (M?\d{2})\/(?:M?\d{2})? /.exec(body);
  const metres = / (\d{4})(?:NDV)? /.exec(body);
  const miles = / [PM]?(?:(\d{1,2}) {2})?(\d{1,2})(?:\/(\d{1,2}))?SM /.exec(body);
  const weatherCode =
    / ((?:VC|[+-])?(?:MI|BC|PR|DR|BL|SH|TS|FZ)?(?:DZ|RA|SN|SG|IC|PL|GR|GS|UP|BR|FG|FU|VA|DU|SA|HZ|PY|PO|SQ|FC|SS|DS){1,3}|(?:VC|[+-])?TS|(?:VC|[+-])?SH)(?= )/g;
  return {
    wind: wind !== null,
    mps: wind?.[4] === 'MPS',
    windSpeedKt: Math.round(Number(wind?.[2]) * factor),
    windDir: wind && /\d/.test(wind[1] ?? '') ? Number(wind[1]) : null,
    gustKt: wind?.[3] === undefined ? null : Math.round(Number(wind[3]) * factor),
    q: q ? Number(q[1]) : null,
    a: a ? Number(a[1]) : null,
    temperatureC: temperature ? signed(temperature[1] ?? '') : null,
    visibilityM: metres ? Number(metres[1]) : null,
    miles: miles ? Number(miles[1] ?? 0) + Number(miles[2]) / Number(miles[3] ?? 1) : null,
    cavok: body.includes(' CAVOK '),
    clouds: all(body, / ((?:FEW|SCT|BKN|OVC)(?:\d{3}|\/\/\/)(?:CB|TCU|\/\/\/)?)(?= )/g).length,
    weather: all(body, weatherCode).length,
    rvr: all(body, / (R\d{2}[LCR]?\/[PM]?\d{4}(?:V[PM]?\d{4})?(?:FT)?\/?[UDN]?)(?= )/g).length,
    states: all(body, / ((?:R\d{2}[LCR]?\/(?:[\d/]{6}|CLRD(?:\d\d|\/\/)))|R\/SNOCLO)(?= )/g).length,
  };
};

/** Text that metar-taf-parser can read: no remarks, trends, old runway states or second wind. */
const normalised = (raw: string): string => {
  const words = bodyOf(raw).trim().split(/ +/);
  const windAt = words.findIndex((word) =>
    /^(?:\d{3}|VRB|\/\/\/)P?\d{2,3}(?:GP?\d{2,3})?(?:KT|MPS|KMH)$/.test(word),
  );
  const hasQ = words.some((word) => /^Q\d{4}$/.test(word));
  const kept = words.filter((word, i) => {
    if (/^\d{8}$|^\d\dCLRD/.test(word)) return false;
    if (hasQ && /^A\d{4}$/.test(word)) return false;
    return i === windAt || !/^(?:\d{3}|VRB|RS\d)\d*.*(?:KT|MPS|KMH)$|^\d{6,7}KT$/.test(word);
  });
  return `ZZZZ 010000Z ${kept.join(' ')}`;
};

interface Sample {
  raw: string;
  want: Expected;
  got: DecodedReport;
}

const joined = ({ highlighted }: Pick<DecodedReport, 'highlighted'>): string =>
  highlighted.map(({ text, spaceSuffix }) => text + (spaceSuffix ? ' ' : '')).join('');

/** Percentage of the samples that `right` accepts. */
const share = (samples: readonly Sample[], right: (sample: Sample) => boolean): number => {
  const wrong = samples.filter((sample) => !right(sample));
  if (process.env['SHOW_WRONG'])
    console.log(
      wrong
        .slice(0, 12)
        .map((s) => s.raw)
        .join('\n'),
    );
  return 100 - (100 * wrong.length) / samples.length;
};

describe('METARs', () => {
  let samples: Sample[] = [];
  const having = (wanted: (e: Expected) => boolean): Sample[] => samples.filter((s) => wanted(s.want));

  beforeAll(() => {
    samples = sampled(lines('metars.txt'), every).map((raw) => ({
      raw,
      want: expected(raw),
      got: decodeMetar(raw),
    }));
  });

  test('Every METAR is decoded without an exception and joins back', () => {
    expect(samples.length).toBeGreaterThanOrEqual(data.either(45_000 / every, 150));
    expect(samples.filter(({ raw, got }) => joined(got) !== raw || got.decoded === '')).toEqual([]);
  });

  test.each<[string, number, (e: Expected) => boolean, (s: Sample) => boolean]>([
    ['wind speed', 99.98, (e) => e.wind, (s) => s.got.windSpeedKt === s.want.windSpeedKt],
    ['wind in MPS', 100, (e) => e.mps, (s) => s.got.windSpeedKt === s.want.windSpeedKt],
    ['wind direction', 99.99, (e) => e.windDir !== null, (s) => s.got.windDir === s.want.windDir],
    ['variable wind', 100, (e) => e.wind && e.windDir === null, (s) => s.got.windDir === null],
    ['gust', 99.98, (e) => e.gustKt !== null, (s) => s.got.gustKt === s.want.gustKt],
    ['no gust', 99.996, (e) => e.gustKt === null, (s) => s.got.gustKt === null],
    [
      'QNH of a Q group',
      100,
      (e) => e.q !== null && e.q > 850 && e.q < 1085,
      (s) => s.got.qnhHpa === s.want.q,
    ],
    [
      'QNH of an A group alone',
      99.995,
      (e) => e.q === null && e.a !== null && e.a > 2510 && e.a < 3200,
      (s) => s.got.qnhHpa === Math.floor((s.want.a ?? 0) * 0.338639),
    ],
    [
      'temperature',
      99.997,
      (e) => e.temperatureC !== null,
      (s) => s.got.temperatureC === s.want.temperatureC,
    ],
    [
      'visibility in metres',
      100,
      (e) => e.visibilityM !== null && e.miles === null && !e.cavok,
      (s) => s.got.visibilityM === s.want.visibilityM,
    ],
    [
      'visibility in miles',
      99.99,
      (e) => e.miles !== null && e.visibilityM === null,
      (s) => s.got.visibilityM === Math.round((s.want.miles ?? 0) * 1609.344),
    ],
    [
      'CAVOK',
      100,
      (e) => e.cavok,
      (s) => s.got.visibilityM === 9999 && s.got.decoded.includes('Ceiling and visibility'),
    ],
    ['cloud layers', 99.98, (e) => e.clouds > 0, (s) => s.got.clouds.length === s.want.clouds],
    ['present weather', 99.93, (e) => e.weather > 0, (s) => s.got.weather.length === s.want.weather],
    ['runway visual range', 98.88, (e) => e.rvr > 0, (s) => s.got.rvr.length === s.want.rvr],
    ['runway state', 100, (e) => e.states > 0, (s) => s.got.runwayStates.length >= s.want.states],
  ])('The field %s is correct in at least %d per cent of its reports', (_name, threshold, wanted, right) => {
    const found = having(wanted);
    expect(found.length).toBeGreaterThan(data.either(50 / every, 5));
    // The reduced set has no malformed report; a sample may have one that is rare overall.
    const oneReport = every === 1 ? 0 : 100 / found.length;
    expect(share(found, right)).toBeGreaterThanOrEqual(data.either(threshold - oneReport, 100));
  });

  test('A second decoder, the library with a normaliser, agrees', () => {
    let compared = 0;
    let different = 0;
    for (const { raw, got } of samples.filter((_, i) => i % data.either(5 / every, 1) === 0)) {
      let library: IMetar;
      try {
        library = parseMetar(normalised(raw));
      } catch {
        continue;
      }
      compared++;
      const speed = library.wind?.unit === SpeedUnit.MetersPerSecond ? 1.943844 : 1;
      const agrees =
        (library.wind === undefined || Math.round(library.wind.speed * speed) === got.windSpeedKt) &&
        (library.temperature === undefined || library.temperature + 0 === got.temperatureC) &&
        library.clouds.filter((c) => /FEW|SCT|BKN|OVC/.test(c.quantity)).length ===
          got.clouds.filter(({ amount }) => amount !== 'VV').length &&
        (library.altimeter === undefined ||
          library.altimeter.unit !== AltimeterUnit.HPa ||
          library.altimeter.value === got.qnhHpa);
      if (!agrees) different++;
      if (!agrees && process.env['SHOW_WRONG']) console.log(raw);
    }
    expect(compared).toBeGreaterThan(data.either(9_000, 140));
    expect(different / compared).toBeLessThan(0.002);
  });
});

describe('TAFs', () => {
  test('Every TAF is decoded without an exception and joins back', () => {
    const tafs = lines('tafs.txt');
    expect(tafs.length).toBeGreaterThan(data.either(600, 20));
    expect(tafs.filter((raw) => joined(decodeTaf(raw)) !== raw)).toEqual([]);
  });

  test('Base wind, change groups and extreme temperatures are found', () => {
    const tafs = lines('tafs.txt').filter((raw) => !/ (?:NIL|CNL)\b|\d{6}Z.*\d{6}Z/.test(raw));
    const rightWind = tafs.filter((raw) => {
      const first = raw.split(/ (?:TEMPO|BECMG|INTER|PROB\d\d|FM\d{4,6})\b/)[0] ?? '';
      const wind = / (?:\d{3}|VRB)P?(\d{2,3})(?:GP?\d{2,3})?(KT|MPS)(?= |$)/.exec(first);
      const want = wind ? Math.round(Number(wind[1]) * (wind[2] === 'MPS' ? 1.943844 : 1)) : null;
      return decodeTaf(raw).windSpeedKt === want;
    });
    expect(rightWind.length / tafs.length).toBeGreaterThan(0.99);
    const rightChanges = tafs.filter((raw) => {
      const [text = ''] = raw.split(/ RMK /);
      const want = [
        ...text.matchAll(/ (?:PROB\d\d (?:TEMPO|INTER)|TEMPO|BECMG|INTER|PROB\d\d|FM\d{6}|FM\d{4})\b/g),
      ].length;
      return (
        decodeTaf(raw)
          .decoded.split('\n')
          .filter((line) => line.startsWith('Change:')).length === want
      );
    });
    expect(rightChanges.length / tafs.length).toBeGreaterThan(0.97);
  });
});
