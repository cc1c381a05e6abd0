import type { Sql } from '../sql.ts';

/** How long some rows of a table are kept. */
export interface Retention {
  table: Sql;
  /** Which rows, for operators. */
  rows: string;
  days: number;
  why: string;
  /** Of a row `t`, when the retention ended at this time. */
  isExpired: (end: Date) => Sql;
  /** A statement that is run with the deletion and reads its rows as `gone`. */
  alongside?: Sql;
}

export const tableOf = ({ table }: Retention): string => table.strings.join('');
