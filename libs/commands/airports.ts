/** An operator's airport data, imported from files maintained by a fleet office. */
import { ZodError } from 'zod';
import { DomainError } from '#domain/errors.ts';
import { operatorColumns, operatorExitOf, operatorRunwayOf } from '#data/feeds/airports/operator-csv.ts';
import { readCsv } from '#data/feeds/csv.ts';
import { airportOperatorWrites } from '#store/postgres/airports/operator.ts';
import type { Author } from '#store/postgres/airports/operator.ts';
import type { Tx } from '#store/postgres/sql.ts';

interface CsvImport {
  kind: 'runways' | 'exits';
  rows: number;
  stored: number;
  /** Line numbers count the header as 1. */
  rejects: { line: number; reason: string }[];
}

const reasonOf = (error: unknown): string => {
  if (error instanceof ZodError) {
    return error.issues.map((issue) => `${issue.path.join('.') || 'row'}: ${issue.message}`).join('; ');
  }
  if (error instanceof DomainError) return error.message;
  throw error;
};

/**
 * Imports runways or exits, depending on the columns. A row replaces the whole entry of its runway end; a row without
 * values removes it. Invalid rows are reported and change nothing. Throws SourceError for any other file.
 */
export const importOperatorCsv = async (tx: Tx, bytes: Uint8Array, author: Author): Promise<CsvImport> => {
  const writes = airportOperatorWrites(tx);
  const header = Buffer.from(bytes).toString('utf8').split('\n', 1)[0] ?? '';
  const kind = header.includes('distance_m') ? 'exits' : 'runways';
  const required = kind === 'exits' ? ['icao', 'ident', 'name', 'distance_m'] : ['icao', 'ident'];
  const result: CsvImport = { kind, rows: 0, stored: 0, rejects: [] };
  // A misspelt column would remove the values that it was to set.
  const known = operatorColumns[kind];
  for (const row of readCsv(bytes, { required, known, what: `The operator file (${kind})` })) {
    result.rows += 1;
    try {
      const changed =
        kind === 'exits'
          ? await writes.setExit(operatorExitOf(row), author)
          : await writes.setRunway(operatorRunwayOf(row), author);
      if (changed) result.stored += 1;
    } catch (error) {
      result.rejects.push({ line: result.rows + 1, reason: reasonOf(error) });
    }
  }
  return result;
};
