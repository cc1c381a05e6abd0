import { CsvError, parse } from 'csv-parse/sync';
import { SourceError, refuseHtml } from '#domain/source-error.ts';

export type CsvRow = Readonly<Record<string, string>>;

interface CsvOptions {
  /** Required header names; other columns are ignored, unless `known` lists all. */
  required: readonly string[];
  known?: readonly string[];
  /** File name for messages: `airports.csv`. */
  what: string;
}

const cutOff = (what: string): SourceError =>
  new SourceError('TRUNCATED', `${what} ends in the middle of a record.`);

const refusalOf = (error: unknown, what: string): unknown => {
  if (!(error instanceof CsvError)) return error;
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return cutOff(what);
  return new SourceError('WRONG_CONTENT', `${what} cannot be read as CSV (${error.code}).`);
};

/**
 * The rows of a CSV file by column name from its header. Throws SourceError for a web page, a missing column, a file
 * without rows, or one that ends within a quoted field or in a short row without a line end.
 */
export const readCsv = (bytes: Uint8Array, { required, known, what }: CsvOptions): CsvRow[] => {
  let columnCount = 0;
  const columns = (header: string[]): string[] => {
    const names = header.map((name) => name.trim());
    const missing = required.filter((name) => !names.includes(name));
    if (missing.length > 0) {
      refuseHtml(header.join(','));
      throw new SourceError('WRONG_CONTENT', `${what} has no column ${missing.join(', ')}.`);
    }
    const unknown = names.filter((name) => known?.includes(name) === false);
    if (unknown.length > 0)
      throw new SourceError('WRONG_CONTENT', `${what} has an unknown column ${unknown.join(', ')}.`);
    columnCount = names.length;
    return names;
  };
  let rows: CsvRow[];
  try {
    // Row length does not invalidate the file: each row is checked by its fields.
    const options = { bom: true, relax_column_count: true, skip_empty_lines: true, trim: true, columns };
    rows = parse<CsvRow>(Buffer.from(bytes), options);
  } catch (error) {
    throw refusalOf(error, what);
  }
  const last = rows.at(-1);
  if (!last) throw new SourceError('EMPTY', `${what} has no rows.`);
  const endsWithLine = /[\r\n]$/.test(Buffer.from(bytes.slice(-1)).toString('latin1'));
  if (!endsWithLine && Object.keys(last).length < columnCount) throw cutOff(what);
  return rows;
};

/** A finite number; null for blank cells and text. */
export const numberOf = (text: string | undefined): number | null => {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
};

/** The text, or null when blank. */
export const textOf = (text: string | undefined): string | null => {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
};

/** A latitude and a longitude in range, or null. */
export const positionOf = (latitude: string | undefined, longitude: string | undefined) => {
  const latitudeDeg = numberOf(latitude);
  const longitudeDeg = numberOf(longitude);
  if (latitudeDeg === null || longitudeDeg === null) return null;
  if (Math.abs(latitudeDeg) > 90 || Math.abs(longitudeDeg) > 180) return null;
  return { latitudeDeg, longitudeDeg };
};
