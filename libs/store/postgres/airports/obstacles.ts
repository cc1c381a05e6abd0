import { inParts, recordOf, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

export interface Obstacle {
  /** `06-310880` of the FAA. */
  id: string;
  latitudeDeg: number;
  longitudeDeg: number;
  type: string;
  aglFt: number;
  /** Top above mean sea level. */
  amslFt: number | null;
}

const chunkRows = 5_000;

const columns = sql`id, latitude, longitude, type, agl_ft, amsl_ft`;

export const obstacleRepo = (db: ReadDb) => ({
  count: (): Promise<number> => db.value<number>(sql`SELECT count(*) AS count FROM obstacle`),
});

export const obstacleWrites = (tx: Tx) => ({
  /** Replaces all obstacles with a complete file. Returns how many are new, changed or removed. */
  store: async (obstacles: readonly Obstacle[]): Promise<number> => {
    await tx.run(sql`CREATE TEMP TABLE IF NOT EXISTS obstacle_next (LIKE obstacle) ON COMMIT DROP`);
    await tx.run(sql`TRUNCATE obstacle_next`);
    for (const part of inParts(obstacles, chunkRows)) {
      const rows = part.map(({ latitudeDeg: latitude, longitudeDeg: longitude, ...rest }) =>
        recordOf({ ...rest, latitude, longitude }),
      );
      await tx.run(sql`
        INSERT INTO obstacle_next (${columns})
        SELECT ${columns} FROM jsonb_populate_recordset(NULL::obstacle, ${JSON.stringify(rows)}::jsonb)`);
    }
    return tx.run(sql`
      MERGE INTO obstacle o USING (SELECT DISTINCT ON (id) * FROM obstacle_next ORDER BY id) n ON o.id = n.id
      WHEN MATCHED AND (o.latitude, o.longitude, o.type, o.agl_ft, o.amsl_ft)
          IS DISTINCT FROM (n.latitude, n.longitude, n.type, n.agl_ft, n.amsl_ft)
        THEN UPDATE SET latitude = n.latitude, longitude = n.longitude, type = n.type, agl_ft = n.agl_ft, amsl_ft = n.amsl_ft
      WHEN NOT MATCHED THEN INSERT (${columns}) VALUES (n.id, n.latitude, n.longitude, n.type, n.agl_ft, n.amsl_ft)
      WHEN NOT MATCHED BY SOURCE THEN DELETE`);
  },
});
