/** Consistent reads of large amounts of data, a few rows at a time. */
import type { PoolClient, QueryResultRow } from 'pg';
import { queryRows, readDbOver, sql } from './sql.ts';
import type { Queryable, ReadDb, Sql } from './sql.ts';

export interface Snapshot extends ReadDb {
  /** Yields the rows of a statement with only a few in memory. One statement at a time, since there is one cursor. */
  each: <Row extends QueryResultRow>(query: Sql) => AsyncGenerator<Row>;
}

/** Runs `work` on a snapshot of the database; nothing can be written. */
export type RunSnapshot = <T>(work: (snapshot: Snapshot) => Promise<T>) => Promise<T>;

/** Few, because a row may have megabytes. */
const rowsAtOnce = 20;

const eachOver = (client: Queryable, db: ReadDb): Snapshot['each'] =>
  async function* each<Row extends QueryResultRow>(query: Sql) {
    await db.any(sql`DECLARE each NO SCROLL CURSOR FOR ${query}`);
    for (;;) {
      // Never a prepared statement, whose columns could not change with those of the cursor.
      const { rows } = await queryRows(client, { text: `FETCH ${rowsAtOnce} FROM each`, values: [] });
      yield* rows as Row[];
      if (rows.length < rowsAtOnce) break;
    }
    await client.query({ text: 'CLOSE each', values: [] });
  };

/** `Postgres.snapshot`, on a connection of the reading pool. */
export const createSnapshot =
  (connect: () => Promise<PoolClient>, translated: (client: Queryable) => Queryable): RunSnapshot =>
  async (work) => {
    const client = await connect();
    const connection = translated(client);
    let broken: Error | undefined;
    try {
      await connection.query({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', values: [] });
      // All rows are read, so the planner minimises the time for all of them.
      await connection.query({ text: 'SET LOCAL cursor_tuple_fraction = 1', values: [] });
      const db = readDbOver(connection);
      return await work({ ...db, each: eachOver(connection, db) });
    } finally {
      await client.query('ROLLBACK').catch((error: unknown) => {
        broken = error instanceof Error ? error : new Error(String(error));
      });
      client.release(broken);
    }
  };
