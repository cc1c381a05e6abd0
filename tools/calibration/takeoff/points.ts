import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';

export type Row = Record<string, string>;

/** One published limit weight. */
export interface LimitPoint {
  table: string;
  kind: 'field' | 'climb' | 'brake' | 'lowest';
  flap: string;
  surface: 'DRY' | 'WET';
  pressureAltitudeFt: number;
  temperatureC: number;
  lengthM: number;
  headwindKt: number;
  slope: number;
  packsOff: boolean;
  expectedKg: number;
  /** the highest weight of its table, repeated: the true limit is at least this */
  isCap: boolean;
  /** used for the fit; the others only measure its error */
  isFitted: boolean;
}

/** One published equivalent: the length of a level runway in calm air that equals a length with slope or wind. */
export interface WorthPoint {
  table: string;
  surface: 'DRY' | 'WET';
  lengthM: number;
  slopePercent: number;
  headwindKt: number;
  expectedM: number;
  isFitted: boolean;
}

/** Published speeds for a weight, kt CAS; null: not in this table. `table` follows the name of the speed. */
export interface SpeedPoint extends Omit<LimitPoint, 'kind' | 'expectedKg' | 'isCap'> {
  rating?: string;
  massKg: number;
  v1Kt?: number | null;
  vrKt?: number | null;
  v2Kt?: number | null;
  vmcgKt?: number;
}

export interface TakeoffTables {
  limits: LimitPoint[];
  worths: WorthPoint[];
  speeds: SpeedPoint[];
}

/** Tables by profile: dispatch tables and planning charts. */
export const tableNames: Readonly<Record<string, string>> = {
  '737-600-7B22': '737-600',
  '737-700-7B24': '737-700',
  '737-800-7B26': '737-800',
  '737-900ER': '737-900',
  '747-8': '747-8F (file also used for 747-8)',
  '777-200LR': '777-200LR',
  '777-300ER': '777-300ER',
  '777F': '777F',
  '787-9': '787-8',
  'A319-112': 'A319-100',
  'A320-214': 'A320-200',
  'A321-211': 'A321-200',
  'A320-251N': 'A320-251N',
  'A380-842': 'A380-842',
};

const surfaceName = (row: Row): 'DRY' | 'WET' => (row['surface'] === 'wet' ? 'WET' : 'DRY');
export const number = (row: Row, key: string): number => Number(row[key] ?? Number.NaN);
export const isaC = (altitudeFt: number): number => 15 - 0.0019812 * altitudeFt;

export const rowsOf = async (folder: string, file: string): Promise<Row[]> =>
  parse(await readFile(`${folder}/${file}.csv`, 'utf8'), { columns: true });

/** Rows used for the fit: every other length of a table, every other row of a list. */
const alternate = (values: readonly number[]): ((value: number) => boolean) => {
  const sorted = [...new Set(values)].toSorted((a, b) => a - b);
  const fitted = new Set(sorted.filter((_, i) => i % 2 === 0));
  return (value) => fitted.has(value);
};

const lengthOf = (row: Row): number => number(row, 'corrected_length_m');

/** Alternate lengths of both surfaces, or of each separately if they share none. */
const alternateLengths = (rows: readonly Row[]): ((row: Row) => boolean) => {
  const of = (surface: string): number[] =>
    rows.filter((row) => row['surface'] === surface).map((row) => lengthOf(row));
  const [dry, wet] = [of('dry'), of('wet')];
  const isShared = dry.some((lengthM) => wet.includes(lengthM));
  const [onDry, onWet] = isShared
    ? [alternate([...dry, ...wet]), alternate([...dry, ...wet])]
    : [alternate(dry), alternate(wet)];
  return (row) => (row['surface'] === 'dry' ? onDry : onWet)(lengthOf(row));
};

/** The lowest value within 1 % of the highest that recurs so often that the table must be cut there. */
const capOf = (values: readonly number[]): number => {
  const most = Math.max(...values);
  const near = values.filter((value) => value >= 0.99 * most);
  const repeated = near.filter((value) => near.filter((other) => other === value).length > 3);
  return repeated.length > 0 ? Math.min(...repeated) : Infinity;
};

const base = {
  pressureAltitudeFt: 0,
  temperatureC: 15,
  headwindKt: 0,
  slope: 0,
  packsOff: false,
  isCap: false,
};

/** The dry 2000 ft block of the 737-700 repeats the wet 1000 ft block plus its dry difference: a wrong label. */
const isMislabelled = (row: Row): boolean =>
  row['aircraft'] === '737-700' && row['surface'] === 'dry' && number(row, 'press_alt_ft') === 2000;

/** The shortest lengths of the 777F are 4 % below its others, which are those of the 777-200LR. */
const isOffTrend = (row: Row): boolean => row['aircraft'] === '777F' && [1730, 2290].includes(lengthOf(row));

/** Tailwind figures of the 777F below its shortest lengths are inconsistent with the others. */
const isBelowTable = (row: Row): boolean =>
  row['aircraft'] === '777F' && lengthOf(row) < (row['surface'] === 'dry' ? 1730 : 2290);

const boeing = async (folder: string, name: string): Promise<TakeoffTables> => {
  const own = (rows: Row[]): Row[] => rows.filter((row) => row['aircraft'] === name);
  const fields = own(await rowsOf(folder, 'boeing-field-limit')).filter(
    (row) => row['at_cap'] === '0' && !isMislabelled(row) && !isOffTrend(row),
  );
  const isFitted = alternateLengths(fields);
  const limit = (row: Row, kind: 'field' | 'climb'): Omit<LimitPoint, 'isFitted'> => ({
    ...base,
    table: kind === 'climb' ? 'climb' : `field ${row['surface']}`,
    kind,
    flap: row['flap'] ?? '',
    surface: surfaceName(row),
    pressureAltitudeFt: number(row, 'press_alt_ft'),
    temperatureC: number(row, 'oat_c'),
    lengthM: kind === 'climb' ? 4000 : number(row, 'corrected_length_m'),
    expectedKg: number(row, `${kind}_limit_kg`),
  });
  const climbs = own(await rowsOf(folder, 'boeing-climb-limit')).filter((row) => row['at_cap'] === '0');
  const winds = own(await rowsOf(folder, 'boeing-wind-correction')).filter((row) => !isBelowTable(row));
  const climbCapKg = capOf(climbs.map((row) => number(row, 'climb_limit_kg')));
  const fieldCapKg = capOf(fields.map((row) => number(row, 'field_limit_kg')));
  const worth = (row: Row, i: number, table: string): WorthPoint => ({
    table: `${table} ${row['surface']}`,
    surface: surfaceName(row),
    lengthM: number(row, table === 'slope' ? 'field_length_m' : 'slope_corrected_length_m'),
    slopePercent: table === 'slope' ? number(row, 'slope_pct') : 0,
    headwindKt: table === 'wind' ? number(row, 'headwind_kt') : 0,
    expectedM: number(row, 'corrected_length_m'),
    isFitted: i % 2 === 0,
  });
  return {
    limits: [
      ...fields.map((row) => {
        const point = limit(row, 'field');
        return { ...point, isCap: point.expectedKg >= fieldCapKg, isFitted: isFitted(row) };
      }),
      ...climbs.map((row, i) => {
        const point = limit(row, 'climb');
        return { ...point, isCap: point.expectedKg >= climbCapKg, isFitted: i % 2 === 0 };
      }),
    ],
    worths: [
      ...own(await rowsOf(folder, 'boeing-slope-correction')).map((row, i) => worth(row, i, 'slope')),
      ...winds.map((row, i) => worth(row, i, 'wind')),
    ],
    speeds: [],
  };
};

const lengthItems: Readonly<Record<string, readonly ['slopePercent' | 'headwindKt', number, number]>> = {
  'headwind length credit': ['headwindKt', 10, 1],
  'tailwind length penalty': ['headwindKt', -10, -1],
  'uphill length penalty': ['slopePercent', 1, -1],
  'downhill length credit': ['slopePercent', -1, 1],
};

/**
 * At its shortest length the A319 chart has the same weight at 6000 and 8000 ft, 14 % below that at 4000 ft: a reading
 * error.
 */
const isReadTwice = (row: Row): boolean =>
  row['aircraft'] === 'A319-100' &&
  number(row, 'press_alt_ft') === 6000 &&
  number(row, 'runway_length_m') < 1300;

const airbusCharts = async (folder: string, name: string): Promise<TakeoffTables> => {
  const own = (rows: Row[]): Row[] =>
    rows.filter((row) => row['aircraft'] === name && row['engine'] !== 'IAE V2500');
  const file = name === 'A380-842' ? 'a380-842-tow-limit' : 'airbus-tow-limit';
  const charts = own(await rowsOf(folder, file)).filter((row) => !isReadTwice(row));
  // A chart has few lengths, and weights rise steeply at the shortest, so fitted and measured points
  // alternate like a chessboard.
  const atLength = alternate(charts.map((row) => number(row, 'runway_length_m')));
  const atAltitude = alternate(charts.map((row) => number(row, 'press_alt_ft')));
  const worths = own(await rowsOf(folder, 'airbus-corrections')).flatMap((row, i) => {
    const item = lengthItems[row['item'] ?? ''];
    if (!item) return [];
    const [key, amount, sign] = item;
    const lengthM = number(row, 'runway_length_m');
    const point = { table: 'length', lengthM, slopePercent: 0, headwindKt: 0, isFitted: i % 2 === 0 };
    const expectedM = lengthM + sign * Math.abs(amount) * number(row, 'value');
    return (['DRY', 'WET'] as const).map((surface) => ({ ...point, surface, expectedM, [key]: amount }));
  });
  return {
    limits: charts.map((row) => ({
      ...base,
      table: 'chart',
      kind: 'lowest' as const,
      flap: name === 'A380-842' ? 'OPTIMUM' : (row['conf'] ?? ''),
      surface: 'DRY' as const,
      pressureAltitudeFt: number(row, 'press_alt_ft'),
      temperatureC: isaC(number(row, 'press_alt_ft')) + number(row, 'isa_offset_c'),
      lengthM: number(row, 'runway_length_m'),
      expectedKg: number(row, 'tow_limit_kg'),
      isFitted: atLength(number(row, 'runway_length_m')) === atAltitude(number(row, 'press_alt_ft')),
    })),
    worths,
    speeds: [],
  };
};

const neo = async (folder: string): Promise<TakeoffTables> => {
  const rows = await rowsOf(folder, 'a320-251n-weight-limits');
  const confs: Readonly<Record<string, string>> = { 1: '1+F', 2: '2', 3: '3' };
  const limits = rows.flatMap((row, i): LimitPoint[] => {
    const point = {
      flap: confs[row['conf'] ?? ''] ?? '',
      surface: 'DRY' as const,
      pressureAltitudeFt: number(row, 'press_alt_ft'),
      temperatureC: number(row, 'oat_c'),
      lengthM: number(row, 'tora_m'),
      headwindKt: number(row, 'headwind_kt'),
      slope: number(row, 'slope_pct') / 100,
      packsOff: true,
      isCap: false,
      // Winds, slopes and altitudes repeat with even periods, which taking every other row would not mix.
      isFitted: Math.floor(i * 0.618034 * 16) % 2 === 0,
    };
    const runway = { ...point, table: `runway ${point.flap}`, kind: 'field' as const };
    const climb = { ...point, table: `second segment ${point.flap}`, kind: 'climb' as const };
    const brake = { ...point, table: `brake energy ${point.flap}`, kind: 'brake' as const };
    return [
      ...(row['limited_by'] === 'BRAKE' ? [{ ...brake, expectedKg: number(row, 'brake_energy_kg') }] : []),
      ...(row['limited_by'] === 'RUNWAY' ? [{ ...runway, expectedKg: number(row, 'runway_kg') }] : []),
      ...(row['limited_by'] === '2ndSEG' ? [{ ...climb, expectedKg: number(row, 'second_segment_kg') }] : []),
    ];
  });
  const speeds = (await rowsOf(folder, 'a320-251n-speeds-field-limited')).map((row, i) => ({
    table: '',
    surface: 'DRY' as const,
    flap: confs[row['conf'] ?? ''] ?? '',
    pressureAltitudeFt: number(row, 'press_alt_ft'),
    temperatureC: number(row, 'oat_used_for_limit_c'),
    lengthM: number(row, 'tora_m'),
    headwindKt: number(row, 'headwind_kt'),
    slope: number(row, 'slope_pct') / 100,
    packsOff: true,
    massKg: number(row, 'tow_kg'),
    v1Kt: number(row, 'v1_kt'),
    vrKt: number(row, 'vr_kt'),
    v2Kt: number(row, 'v2_kt'),
    isFitted: i % 2 === 0,
  }));
  return { limits, worths: [], speeds };
};

/** Published points for a profile in a folder of tables; none if the type has no table. */
export const takeoffTables = async (folder: string, profileId: string): Promise<TakeoffTables> => {
  const name = tableNames[profileId];
  if (name === undefined) return { limits: [], worths: [], speeds: [] };
  if (name === 'A320-251N') return neo(folder);
  return name.startsWith('A') ? airbusCharts(folder, name) : boeing(folder, name);
};
