import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { calculateLine } from '#perf/wire/calc.ts';
import { valueAt } from '#perf/check/profile.ts';
import { flapOf } from '#perf/landing/profile-lookup.ts';
import { vref } from '#perf/landing/speeds.ts';
import { dispatchCase, inflightCase } from './build.ts';
import { requiredDistance } from './field-limit.ts';
import type { Point } from './types.ts';

type Row = Record<string, string>;

/** Published names of brake modes that differ from those in the profiles. */
const modeNames: Record<string, string> = { 'AUTOBRAKE MAX': 'MAX_AUTO', 'MAX AUTO': 'MAX_AUTO' };

const modeOf = (profile: AircraftProfile, name: string): string =>
  name === 'MAX MANUAL'
    ? (profile.autobrakes.find((mode) => mode.manual)?.value ?? '')
    : (modeNames[name] ?? name.replace('AUTOBRAKE ', ''));

/** Depth (mm) that published contaminated distances assume: a quarter of an inch. */
const publishedDepthMm = 6.3;

const number = (row: Row, key: string): number => Number(row[key] ?? Number.NaN);
const configurationOf = (row: Row): Record<string, unknown> => ({
  flap: row['flap'],
  reversers: row['reversers'] === 'ALL' ? 'ALL' : 'NONE',
  vAppAdditiveKt: number(row, 'speed_above_ref_kt'),
});
const weatherOf = (row: Row): Record<string, unknown> => ({
  temperatureC: number(row, 'oat_c'),
  headwindKt: number(row, 'headwind_kt'),
});
const runwayOf = (row: Row): Record<string, unknown> => ({
  slopePercent: number(row, 'slope_pct'),
  elevationFt: number(row, 'press_alt_ft'),
});

/** Air part (m) of the older in-flight tables, in which it is the same for every weight. */
const fixedAirM = 305;

/** Distance (m) of the point's brake mode in flight, with or without the air part. */
const distanceOf = (row: Row, withAir: boolean) => {
  const input = inflightCase(
    number(row, 'weight_kg'),
    number(row, 'rwycc_or_surface'),
    configurationOf(row),
    weatherOf(row),
    runwayOf(row),
  );
  return (profile: AircraftProfile): number => {
    const mode = modeOf(profile, row['brake'] ?? '');
    input.configuration.autobrake = mode;
    const line = calculateLine(profile, input);
    const totalM = valueAt(line, `modes.${mode}.actualDistanceM`) ?? Number.NaN;
    return withAir ? totalM : totalM - (valueAt(line, `modes.${mode}.airDistanceM`) ?? Number.NaN);
  };
};

const inflightPoint = (
  row: Row,
): Omit<Point, 'name' | 'weight'> & { evaluate: (p: AircraftProfile) => number } => {
  const fixed = (row['air_part_in_value'] ?? '').startsWith('305');
  const margin = Number(row['margin_in_value']) || 1;
  return {
    group: `${fixed ? 'ground roll' : 'distance'}, code ${row['rwycc_or_surface']}`,
    expected: number(row, 'value') / margin - (fixed ? fixedAirM : 0),
    error: 'percent',
    evaluate: distanceOf(row, !fixed),
  };
};

const surfaceName = (state: string): string =>
  `${state.toLowerCase().replaceAll('_', ' ')}${state === 'DRY' || state === 'WET' ? ' runway' : ''}`;

/** Certified distances are 60 % of the dry requirement; a required distance is compared unchanged. */
const dispatchPoint = (row: Row): ReturnType<typeof inflightPoint> => {
  const actual = row['margin_in_value'] === 'none';
  const surface = row['rwycc_or_surface'] ?? '';
  const state = surface === '6' ? 'DRY' : surface;
  const depthMm = state === 'DRY' || state === 'WET' || state === 'COMPACTED_SNOW' ? 0 : publishedDepthMm;
  return {
    group: actual ? 'certified distance' : `required distance, ${surfaceName(state)}`,
    expected: number(row, 'value'),
    error: 'percent',
    evaluate: (profile) => {
      const input = dispatchCase(
        9000,
        { state, depthMm },
        configurationOf(row),
        weatherOf(row),
        runwayOf(row),
      );
      const requiredM = requiredDistance(profile, input, number(row, 'weight_kg'));
      return actual ? requiredM / profile.factors.dry : requiredM;
    },
  };
};

const pointOf = (row: Row): ReturnType<typeof inflightPoint> | null => {
  const quantity = row['quantity'] ?? '';
  if (quantity === 'VREF' || quantity === 'VLS')
    return {
      group: quantity,
      expected: number(row, 'value'),
      error: 'kt',
      evaluate: (profile) => vref(flapOf(profile, row['flap'] ?? ''), number(row, 'weight_kg')),
    };
  if (quantity === 'MLW' || quantity === 'MTOW')
    return {
      group: quantity,
      expected: number(row, 'value'),
      error: 'kg',
      evaluate: (profile) => (quantity === 'MLW' ? profile.weight.mslw : profile.weight.mstow),
    };
  if (quantity.startsWith('in-flight')) return inflightPoint(row);
  if (quantity.includes('autobrake dry'))
    return {
      group: `autobrake ${row['brake']}`,
      expected: number(row, 'value'),
      error: 'percent',
      evaluate: distanceOf(row, true),
    };
  return dispatchPoint(row);
};

/** Points of a published table from outside the repository: its type, and the profile compared with it. */
export interface OutsideTable {
  type: string;
  profile: string;
  source: string;
  points: Point[];
}

/** Types in the file that have had a profile of their own since it was made. */
const ownProfiles: Readonly<Record<string, string>> = { '777-200LR': '777-200LR' };

/** Tables in a file of outside points (CSV with a header), by type. */
export const outsidePoints = (csv: string): OutsideTable[] => {
  const rows: Row[] = parse(csv, { columns: true });
  const tables = new Map<string, OutsideTable>();
  for (const row of rows) {
    const type = row['aircraft'] ?? '';
    const table = tables.get(type) ?? {
      type,
      profile: ownProfiles[type] ?? row['engine_profile'] ?? '',
      source: row['source'] ?? '',
      points: [],
    };
    tables.set(type, table);
    const point = pointOf(row);
    if (point) {
      const name = ['flap', 'brake', 'reversers', 'weight_kg', 'oat_c', 'headwind_kt', 'slope_pct']
        .map((key) => row[key])
        .join(' ');
      table.points.push({ ...point, name, weight: 1 });
    }
  }
  return [...tables.values()];
};

/** Corrections in a table of distances: their conditions, and the case in which each applies. */
const corrections: readonly (readonly [column: string, times: number, Row])[] = [
  ['alt_per_1000ft_to_8000_m', 4, { press_alt_ft: '4000', oat_c: '7.1' }],
  ['headwind_per_10kt_m', 1, { headwind_kt: '10' }],
  ['tailwind_per_10kt_m', 1, { headwind_kt: '-10' }],
  ['slope_down_per_pct_m', 1, { slope_pct: '-1' }],
  ['temp_above_isa_per_10c_m', 1, { oat_c: '25' }],
  ['vapp_per_5kt_m', 1, { speed_above_ref_kt: '5' }],
  ['both_reversers_inop_m', 1, { reversers: 'NONE' }],
];

const referenceCase: Row = {
  reversers: 'ALL',
  press_alt_ft: '0',
  oat_c: '15',
  headwind_kt: '0',
  slope_pct: '0',
  speed_above_ref_kt: '0',
  air_part_in_value: '305 m',
};

/**
 * Points of a distance table and its corrections, for types with a profile of their own and no points in the other
 * file.
 */
const distanceTable = (csv: string, [type, profile]: readonly [string, string]): OutsideTable => {
  const rows: Row[] = parse(csv, { columns: true });
  const points = rows.flatMap((row) => {
    if (row['aircraft'] !== type) return [];
    const [distanceM, kg, stepKg] = [
      number(row, 'distance_m'),
      number(row, 'reference_weight_kg'),
      number(row, 'weight_step_kg'),
    ];
    const plain: Row = {
      flap: row['flap'] ?? '',
      brake: row['brake'] ?? '',
      rwycc_or_surface: row['rwycc_assumed'] ?? '',
      weight_kg: String(kg),
      ...referenceCase,
    };
    const point = (name: string, value: number, change: Row): Point => ({
      ...inflightPoint({ ...plain, ...change, value: String(value) }),
      name: `${plain['flap']} ${plain['brake']} ${name}`,
      weight: 1,
    });
    const heavier = distanceM + number(row, 'per_step_above_m');
    const lighter = distanceM + 2 * number(row, 'per_step_below_m');
    return [
      point('reference', distanceM, {}),
      point('heavier', heavier, { weight_kg: String(kg + stepKg) }),
      point('lighter', lighter, { weight_kg: String(kg - 2 * stepKg) }),
      ...corrections.map(([column, times, change]) =>
        point(column, distanceM + times * number(row, column), change),
      ),
    ];
  });
  return { type, profile, source: 'FCOM of the 737NG', points };
};

/** Types in the distance table that the file of points lacks: its 737-900 is not the 737-900ER. */
const ownTables = Object.entries({ '737-600': '737-600-7B22', '737-900ER': '737-900ER' });
const otherType = '737-900';

/** Reads a file of outside points, or of distances with corrections. */
export const outsideTables = async (file: string): Promise<OutsideTable[]> => {
  const csv = await readFile(file, 'utf8');
  if (csv.startsWith('aircraft,flap,')) return ownTables.map((own) => distanceTable(csv, own));
  return outsidePoints(csv).filter(({ type }) => type !== otherType);
};
