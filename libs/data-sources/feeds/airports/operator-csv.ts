/** Operator data as CSV, which a fleet office can maintain as a spreadsheet. Blank = no entry. */
import type { OperatorExitInput, OperatorRunwayInput } from '#domain/airports/operator.ts';
import { DomainError } from '#domain/errors.ts';
import type { StoredOperatorExit, StoredOperatorRunway } from '#store/postgres/airports/operator.ts';
import { textOf } from '../csv.ts';
import type { CsvRow } from '../csv.ts';

type Read = (text: string | undefined) => unknown;

/** Column, field in the stored record, and conversion of the cell text. */
type Columns<Stored> = readonly (readonly [column: string, field: keyof Stored, read: Read])[];

const whole: Read = (text) => text ?? '';
const word: Read = (text) => textOf(text)?.toLowerCase() ?? null;

/** A number, or NaN for other text, so that the schema reports it instead of dropping it. */
const numeric: Read = (text) => {
  const value = textOf(text);
  return value === null ? null : Number(value);
};

const yesNo: Read = (text) => {
  const value = textOf(text)?.toLowerCase();
  if (value === undefined) return null;
  if (['yes', 'true', '1'].includes(value)) return true;
  if (['no', 'false', '0'].includes(value)) return false;
  throw new DomainError('INVALID_VALUE', {}, `"${value}" is neither yes nor no`);
};

const runwayColumns: Columns<StoredOperatorRunway> = [
  ['icao', 'icao', whole],
  ['ident', 'ident', whole],
  ['tora_m', 'toraM', numeric],
  ['toda_m', 'todaM', numeric],
  ['asda_m', 'asdaM', numeric],
  ['lda_m', 'ldaM', numeric],
  ['closed', 'isClosed', yesNo],
  ['efp', 'efpKind', (text) => word(text) ?? 'std'],
  ['efp_text', 'efpText', textOf],
  ['efp_acceleration_altitude_ft', 'efpAccelerationAltitudeFt', numeric],
  ['efp_turn', 'efpTurn', word],
  ['macg_percent', 'macgPercent', numeric],
  ['note', 'note', textOf],
];

const exitColumns: Columns<StoredOperatorExit> = [
  ['icao', 'icao', whole],
  ['ident', 'ident', whole],
  ['name', 'name', whole],
  ['side', 'side', word],
  ['distance_m', 'distanceM', (text) => numeric(text) ?? Number.NaN],
  ['angle_deg', 'angleDeg', numeric],
  ['hidden', 'isHidden', (text) => yesNo(text) ?? false],
];

export const operatorColumns = {
  runways: runwayColumns.map(([column]) => column),
  exits: exitColumns.map(([column]) => column),
};

/** The record before validation by its schema. */
const recordOf = <Stored>(columns: Columns<Stored>, row: CsvRow) =>
  Object.fromEntries(columns.map(([column, field, read]) => [field, read(row[column])])) as unknown;

export const operatorRunwayOf = (row: CsvRow) => recordOf(runwayColumns, row) as OperatorRunwayInput;
export const operatorExitOf = (row: CsvRow) => recordOf(exitColumns, row) as OperatorExitInput;

const cellOf = (value: string | number | boolean | null): string => {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Writes a file that reads back unchanged. */
const csvOf = <Stored>(columns: Columns<Stored>, records: readonly Stored[]): string =>
  [
    columns.map(([column]) => column).join(','),
    ...records.map((record) =>
      columns.map(([, field]) => cellOf(record[field] as string | number | boolean | null)).join(','),
    ),
    '',
  ].join('\n');

export const exportOperatorRunways = (runways: readonly StoredOperatorRunway[]): string =>
  csvOf(runwayColumns, runways);

export const exportOperatorExits = (exits: readonly StoredOperatorExit[]): string =>
  csvOf(exitColumns, exits);
