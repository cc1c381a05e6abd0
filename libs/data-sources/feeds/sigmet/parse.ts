import { z } from 'zod';
import { sigmetProducts } from '#domain/weather/sigmet.ts';
import type { Sigmet, SigmetProduct } from '#domain/weather/sigmet.ts';
import type { ParseResult } from '#domain/weather/types.ts';
import { SourceError } from '#domain/source-error.ts';
import { parseSourceJson } from '../../weather/source-json.ts';
import { levelsOf } from './levels.ts';
import { hourMs } from '#domain/time.ts';

interface Fields {
  [key: string]: unknown;
}

interface SigmetList extends ParseResult<Sigmet> {
  product: SigmetProduct;
  /** Time of the latest issue. */
  issuedAt: Date | null;
}

/** The longest validity, for ash and cyclones, with a margin; a later end is a wrong date. */
const furthestHours = 48;
/** A graphical AIRMET snapshot is valid until halfway to the next one. */
const snapshotHalfMs = 90 * 60_000;
const longestRaw = 8_000;
const maxVertices = 2_000;

const compass = 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' ');

const numberOf = (value: unknown): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
};
const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

/** Seconds since 1970, or a date text. */
const timeOf = (value: unknown): Date | null => {
  const seconds = numberOf(value);
  const time = new Date(seconds === null ? (textOf(value) ?? Number.NaN) : seconds * 1000);
  return Number.isNaN(time.getTime()) ? null : time;
};

const vertexSchema = z.object({
  lat: z.coerce.number().min(-90).max(90),
  // Some areas west of 180 E continue beyond it.
  lon: z.coerce.number().min(-360).max(360),
});
const ringSchema = z.array(vertexSchema).max(maxVertices);
const coordsSchema = z.union([ringSchema.transform((ring) => [ring]), z.array(ringSchema).max(50)]).nullish();

const wrapped = (longitude: number): number =>
  longitude >= -180 && longitude <= 180 ? longitude : ((((longitude + 180) % 360) + 360) % 360) - 180;

const partsOf = (value: unknown, shape: Sigmet['shape']): Sigmet['parts'] => {
  const rings = coordsSchema.parse(value) ?? [];
  const least = shape === 'line' ? 2 : 3;
  return rings
    .map((ring) => {
      const points = ring.map(({ lat, lon }): [number, number] => [lat, wrapped(lon)]);
      const [first, last] = [points[0], points.at(-1)];
      const isClosed = shape === 'area' && points.length > 1 && first?.join() === last?.join();
      return isClosed ? points.slice(0, -1) : points;
    })
    .filter((points) => points.length >= least);
};

const movementOf = (towardDeg: number | null, speedKt: number | null): Sigmet['movement'] =>
  towardDeg === null || speedKt === null || speedKt <= 0 ? null : { towardDeg: towardDeg % 360, speedKt };

const shapeOf = ({ geom, geometryType }: Fields): Sigmet['shape'] =>
  (textOf(geom) ?? textOf(geometryType)) === 'LINE' ? 'line' : 'area';

const hundreds = (value: unknown, freezing: unknown): number | null => {
  if (value === 'SFC') return 0;
  const level = numberOf(value === 'FZL' ? freezing : value);
  return level === null ? null : level * 100;
};

type Part = Omit<Sigmet, 'product' | 'validFrom' | 'validTo' | 'shape' | 'parts'>;

/** Fields that differ by product; null: not a warning (an outlook, a freezing level). */
const readers: { [product in SigmetProduct]: (record: Fields) => Part | null } = {
  isigmet: (r) => {
    const direction = compass.indexOf(textOf(r['dir']) ?? '');
    return {
      kind: 'SIGMET',
      fir: textOf(r['firId']) ?? textOf(r['icaoId']) ?? '',
      firName: textOf(r['firName']),
      series: textOf(r['seriesId']),
      hazard: textOf(r['hazard']) ?? '',
      qualifier: textOf(r['qualifier']),
      ...levelsOf(textOf(r['rawSigmet']) ?? '', { baseFt: numberOf(r['base']), topFt: numberOf(r['top']) }),
      movement: movementOf(direction < 0 ? null : direction * 22.5, numberOf(r['spd'])),
      change: textOf(r['chng']),
      raw: textOf(r['rawSigmet']) ?? '',
    };
  },
  airsigmet: (r) => {
    if (r['airSigmetType'] === 'OUTLOOK') return null;
    const from = numberOf(r['movementDir']);
    return {
      kind: r['airSigmetType'] === 'AIRMET' ? 'AIRMET' : 'SIGMET',
      fir: textOf(r['icaoId']) ?? '',
      firName: null,
      series: textOf(r['seriesId']),
      hazard: textOf(r['hazard']) ?? '',
      qualifier: null,
      ...levelsOf(textOf(r['rawAirSigmet']) ?? '', {
        baseFt: numberOf(r['altitudeLow1']),
        topFt: numberOf(r['altitudeHi2']) ?? numberOf(r['altitudeHi1']),
      }),
      // `MOV FROM 01015KT`, like a wind.
      movement: movementOf(from === null ? null : from + 180, numberOf(r['movementSpd'])),
      change: null,
      raw: textOf(r['rawAirSigmet']) ?? '',
    };
  },
  gairmet: (r) => {
    const hazard = textOf(r['hazard']) ?? '';
    if (hazard.endsWith('FZLVL')) return null;
    const [product, due] = [textOf(r['product']), textOf(r['due_to'])];
    return {
      kind: 'G-AIRMET',
      fir: 'KKCI',
      firName: null,
      series: textOf(r['tag']),
      hazard,
      qualifier: textOf(r['severity']),
      baseFt: hundreds(r['base'], r['fzlbase']),
      topFt: hundreds(r['top'], r['fzltop']),
      movement: null,
      change: null,
      raw: ['G-AIRMET', product, hazard, textOf(r['severity']), due].filter(Boolean).join(' '),
    };
  },
};

const periodOf = (product: SigmetProduct, r: Fields): [Date | null, Date | null] => {
  if (product !== 'gairmet') return [timeOf(r['validTimeFrom']), timeOf(r['validTimeTo'])];
  const at = timeOf(r['validTime'])?.getTime() ?? Number.NaN;
  return Number.isNaN(at) ? [null, null] : [new Date(at - snapshotHalfMs), new Date(at + snapshotHalfMs)];
};

/** Throws the reason for rejecting the record. */
const sigmetOf = (product: SigmetProduct, record: Fields, now: Date): Sigmet | null => {
  const part = readers[product](record);
  if (part === null) return null;
  const [from, to] = periodOf(product, record);
  if (from === null || to === null || to <= from) throw new TypeError('the period of validity is unreadable');
  if (to.getTime() > now.getTime() + furthestHours * hourMs)
    throw new TypeError(`valid for more than ${furthestHours} hours from now`);
  if (part.hazard === '' || part.fir === '' || part.raw === '')
    throw new TypeError('without hazard, region or text');
  const shape = shapeOf(record);
  return {
    product,
    ...part,
    raw: part.raw.slice(0, longestRaw),
    validFrom: from.toISOString(),
    validTo: to.toISOString(),
    shape,
    parts: partsOf(record['coords'], shape),
  };
};

const markOf: { [product in SigmetProduct]: string } = {
  isigmet: 'rawSigmet',
  airsigmet: 'airSigmetType',
  gairmet: 'forecastHour',
};

/** Identifies the product by fields that only its records have. */
const productOf = (records: readonly unknown[]): SigmetProduct | null =>
  sigmetProducts.find((product) =>
    records.some((record) => typeof record === 'object' && record !== null && markOf[product] in record),
  ) ?? null;

/**
 * Parses a JSON list from the Aviation Weather Center's data API; an empty text is an empty list. `expected`: the
 * product at the address, null for a file. Throws SourceError for other content.
 */
export const parseSigmets = (text: string, expected: SigmetProduct | null, now: Date): SigmetList => {
  const json = text.trim() === '' ? [] : parseSourceJson(text, 'The list of SIGMETs');
  if (!Array.isArray(json))
    throw new SourceError('WRONG_CONTENT', 'The answer is not a list of SIGMETs (JSON).');
  const records = json as unknown[];
  const found = productOf(records);
  const product = records.length === 0 ? expected : found;
  if (product === null || (expected !== null && product !== expected))
    throw new SourceError('WRONG_CONTENT', `The list has no ${expected ?? 'SIGMET'} records.`);
  const list: SigmetList = { product, records: [], rejects: [], issuedAt: null };
  for (const item of records) {
    try {
      const record = z.record(z.string(), z.unknown()).parse(item);
      const sigmet = sigmetOf(product, record, now);
      if (sigmet) list.records.push(sigmet);
      const issued = timeOf(record['receiptTime']) ?? timeOf(record['issueTime']);
      if (issued && issued > (list.issuedAt ?? 0)) list.issuedAt = issued;
    } catch (error) {
      if (!(error instanceof z.ZodError || error instanceof TypeError)) throw error;
      const reason = error instanceof z.ZodError ? z.prettifyError(error) : error.message;
      list.rejects.push({ reason: reason.slice(0, 200), sample: JSON.stringify(item).slice(0, 120) });
    }
  }
  return list;
};
