import type { RunwayComment } from '#domain/airports/changes.ts';
import { inParts, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

interface AirportChangeRow {
  icao: string;
  changedAt: Date;
  runways: RunwayComment[];
}

/** Rows of one statement: some 2 MB of JSON, far below the statement timeout. */
const batchSize = 2_000;

/** The changelog of airports. */
export const airportChangeRepo = (db: ReadDb) => ({
  /** The last 20, newest first. */
  latest: (): Promise<AirportChangeRow[]> =>
    db.any<AirportChangeRow>(sql`
      SELECT icao, changed_at, runways FROM airport_change ORDER BY id DESC LIMIT 20`),
});

export const airportChangeWrites = (tx: Tx) => ({
  /** Adds entries in the order given; used by imports and by operators. */
  add: async (changes: readonly Omit<AirportChangeRow, 'changedAt'>[], at: Date): Promise<void> => {
    for (const part of inParts(changes, batchSize)) {
      await tx.run(sql`
        INSERT INTO airport_change (icao, changed_at, runways)
        SELECT c.icao, ${at}, c.runways
        FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(part)}::jsonb) AS (icao text, runways jsonb))
          WITH ORDINALITY AS c (icao, runways, position)
        ORDER BY c.position`);
    }
  },
});
