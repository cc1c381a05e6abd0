import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { SourceError, refuseHtml } from '#domain/source-error.ts';

/** A whole file, or its chunks as they arrive. */
export type CsvInput = Uint8Array | AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;

export type CsvRow = Readonly<Record<string, string>>;

interface CsvOptions {
  /** Required header names; other columns are ignored, unless `known` lists all. */
  required: readonly string[];
  known?: readonly string[];
  /** File name for messages: `airports.csv`. */
  what: string;
  signal?: AbortSignal;
}

const cutOff = (what: string): SourceError =>
  new SourceError('TRUNCATED', `${what} ends in the middle of a record.`);

const refuse = (error: unknown, what: string): never => {
  if (!(error instanceof CsvError)) throw error;
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') throw cutOff(what);
  throw new SourceError('WRONG_CONTENT', `${what} cannot be read as CSV (${error.code}).`);
};

/**
 * Streams the rows of a CSV file by column name from its header. Throws SourceError for a web page, a missing column, a
 * file without rows, or one that ends within a quoted field or in a short row without a line end.
 */
export const readCsv = async function* (input: CsvInput, options: CsvOptions): AsyncGenerator<CsvRow> {
  const { required, known, what, signal } = options;
  const source = input instanceof Uint8Array ? Readable.from([Buffer.from(input)]) : Readable.from(input);
  let columnCount = 0;
  let tail: Uint8Array | string = '';
  const parser = parse({
    bom: true,
    // Row length does not invalidate the file: each row is checked by its fields.
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    columns: (header: string[]) => {
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
    },
  });
  source.on('error', (error) => parser.destroy(error));
  source.on('data', (chunk: Uint8Array | string) => {
    if (chunk.length > 0) tail = chunk;
  });
  const stop = () => source.destroy(signal?.reason instanceof Error ? signal.reason : new Error('stopped'));
  signal?.addEventListener('abort', stop, { once: true });
  signal?.throwIfAborted();
  source.pipe(parser);
  let rows = 0;
  let last: CsvRow = {};
  try {
    for await (const row of parser as AsyncIterable<CsvRow>) {
      rows += 1;
      last = row;
      yield row;
    }
  } catch (error) {
    refuse(error, what);
  } finally {
    signal?.removeEventListener('abort', stop);
    source.destroy();
  }
  const endsWithLine = /[\r\n]$/.test(Buffer.from(tail.slice(-1)).toString('latin1'));
  if (rows > 0 && !endsWithLine && Object.keys(last).length < columnCount) throw cutOff(what);
  if (rows === 0) throw new SourceError('EMPTY', `${what} has no rows.`);
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
