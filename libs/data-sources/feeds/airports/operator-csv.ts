/** Operator data as CSV, so that a fleet office can keep it in a table. Blank = no entry. */
import type { OperatorExitInput, OperatorRunwayInput } from '#domain/airports/operator.ts';
import { DomainError } from '#domain/errors.ts';
import type { StoredOperatorExit, StoredOperatorRunway } from '#store/postgres/airports/operator.ts';
import { textOf } from '../csv.ts';
import type { CsvRow } from '../csv.ts';

const runwayColumns = [
  'icao',
  'ident',
  'tora_m',
  'toda_m',
  'asda_m',
  'lda_m',
  'closed',
  'efp',
  'efp_text',
  'efp_acceleration_altitude_ft',
  'efp_turn',
  'macg_percent',
  'note',
] as const;

const exitColumns = ['icao', 'ident', 'name', 'side', 'distance_m', 'angle_deg', 'hidden'] as const;

/** A number, or the text itself, so that the schema rejects it by name instead of dropping it. */
const numeric = (text: string | undefined): number | null => {
  const value = textOf(text);
  return value === null ? null : Number(value);
};

const yesNo = (text: string | undefined): boolean | null => {
  const value = textOf(text)?.toLowerCase();
  if (value === undefined) return null;
  if (['yes', 'true', '1'].includes(value)) return true;
  if (['no', 'false', '0'].includes(value)) return false;
  throw new DomainError('INVALID_VALUE', {}, `"${value}" is neither yes nor no`);
};

export const operatorRunwayOf = (row: CsvRow): OperatorRunwayInput => ({
  icao: row['icao'] ?? '',
  ident: row['ident'] ?? '',
  toraM: numeric(row['tora_m']),
  todaM: numeric(row['toda_m']),
  asdaM: numeric(row['asda_m']),
  ldaM: numeric(row['lda_m']),
  isClosed: yesNo(row['closed']),
  efpKind: (textOf(row['efp'])?.toLowerCase() ?? 'std') as 'std' | 'custom',
  efpText: textOf(row['efp_text']),
  efpAccelerationAltitudeFt: numeric(row['efp_acceleration_altitude_ft']),
  efpTurn: (textOf(row['efp_turn'])?.toLowerCase() ?? null) as 'none' | 'left' | 'right' | null,
  macgPercent: numeric(row['macg_percent']),
  note: textOf(row['note']),
});

export const operatorExitOf = (row: CsvRow): OperatorExitInput => ({
  icao: row['icao'] ?? '',
  ident: row['ident'] ?? '',
  name: row['name'] ?? '',
  side: (textOf(row['side'])?.toLowerCase() ?? null) as 'left' | 'right' | null,
  distanceM: numeric(row['distance_m']) ?? Number.NaN,
  angleDeg: numeric(row['angle_deg']),
  isHidden: yesNo(row['hidden']) ?? false,
});

const field = (value: string | number | boolean | null): string => {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const csv = (
  columns: readonly string[],
  rows: readonly (readonly (string | number | boolean | null)[])[],
): string => [columns.join(','), ...rows.map((row) => row.map(field).join(',')), ''].join('\n');

/** The file that is read back unchanged. */
export const exportOperatorRunways = (runways: readonly StoredOperatorRunway[]): string =>
  csv(
    runwayColumns,
    runways.map((r) => [
      r.icao,
      r.ident,
      r.toraM,
      r.todaM,
      r.asdaM,
      r.ldaM,
      r.isClosed,
      r.efpKind,
      r.efpText,
      r.efpAccelerationAltitudeFt,
      r.efpTurn,
      r.macgPercent,
      r.note,
    ]),
  );

export const exportOperatorExits = (exits: readonly StoredOperatorExit[]): string =>
  csv(
    exitColumns,
    exits.map((x) => [x.icao, x.ident, x.name, x.side, x.distanceM, x.angleDeg, x.isHidden]),
  );
