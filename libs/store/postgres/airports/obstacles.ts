import { sql } from '../sql.ts';
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
  /** R red, D dual, H M S strobes, N none, U unknown. */
  lighting: string | null;
  isVerified: boolean;
  /** FAA codes: 1 = 20 ft … 9 unknown; A = 3 ft … I unknown. */
  horizontalAccuracy: string | null;
  verticalAccuracy: string | null;
  /** `YYYY-MM-DD`. */
  actionDate: string | null;
}

const chunkRows = 5_000;

interface ObstacleCounts {
  written: number;
  removed: number;
}

interface StoredObstacle {
  id: string;
  latitudeDeg: number;
  longitudeDeg: number;
  type: string;
  aglFt: number;
  amslFt: number | null;
}

export const obstacleRepo = (db: ReadDb) => ({
  /** Obstacles inside a box, highest first. */
  within: (
    box: { south: number; north: number; west: number; east: number },
    limit = 1_000,
  ): Promise<StoredObstacle[]> =>
    db.any<StoredObstacle>(sql`
      SELECT id, latitude AS latitude_deg, longitude AS longitude_deg, type, agl_ft, amsl_ft
      FROM obstacle WHERE latitude BETWEEN ${box.south} AND ${box.north}
        AND longitude BETWEEN ${box.west} AND ${box.east}
      ORDER BY agl_ft DESC, id LIMIT ${limit}`),

  count: (): Promise<number> => db.value<number>(sql`SELECT count(*) AS count FROM obstacle`),
});

export const obstacleWrites = (tx: Tx) => ({
  /** Replaces the obstacles of a source with a complete file; only changed rows are written. */
  store: async (obstacles: readonly Obstacle[], source: string): Promise<ObstacleCounts> => {
    await tx.run(sql`CREATE TEMP TABLE IF NOT EXISTS obstacle_next (LIKE obstacle) ON COMMIT DROP`);
    await tx.run(sql`TRUNCATE obstacle_next`);
    for (let i = 0; i < obstacles.length; i += chunkRows) {
      const part = obstacles.slice(i, i + chunkRows);
      await tx.run(sql`
        INSERT INTO obstacle_next (id, latitude, longitude, type, agl_ft, amsl_ft, lighting, is_verified,
          horizontal_accuracy, vertical_accuracy, action_date, source)
        SELECT *, ${source}::text FROM unnest(${part.map((o) => o.id)}::text[], ${part.map((o) => o.latitudeDeg)}::float8[],
          ${part.map((o) => o.longitudeDeg)}::float8[], ${part.map((o) => o.type)}::text[],
          ${part.map((o) => o.aglFt)}::int[], ${part.map((o) => o.amslFt)}::int[],
          ${part.map((o) => o.lighting)}::text[], ${part.map((o) => o.isVerified)}::boolean[],
          ${part.map((o) => o.horizontalAccuracy)}::text[], ${part.map((o) => o.verticalAccuracy)}::text[],
          ${part.map((o) => o.actionDate)}::text[])`);
    }
    const removed = await tx.run(sql`
      DELETE FROM obstacle o WHERE o.source = ${source}
        AND NOT EXISTS (SELECT 1 FROM obstacle_next n WHERE n.id = o.id)`);
    const written = await tx.run(sql`
      INSERT INTO obstacle SELECT DISTINCT ON (id) * FROM obstacle_next ORDER BY id
      ON CONFLICT (id) DO UPDATE SET latitude = excluded.latitude, longitude = excluded.longitude,
        type = excluded.type, agl_ft = excluded.agl_ft, amsl_ft = excluded.amsl_ft, lighting = excluded.lighting,
        is_verified = excluded.is_verified, horizontal_accuracy = excluded.horizontal_accuracy,
        vertical_accuracy = excluded.vertical_accuracy, action_date = excluded.action_date, source = excluded.source
      WHERE (obstacle.latitude, obstacle.longitude, obstacle.type, obstacle.agl_ft, obstacle.amsl_ft,
          obstacle.lighting, obstacle.is_verified, obstacle.horizontal_accuracy, obstacle.vertical_accuracy,
          obstacle.action_date, obstacle.source)
        IS DISTINCT FROM (excluded.latitude, excluded.longitude, excluded.type, excluded.agl_ft, excluded.amsl_ft,
          excluded.lighting, excluded.is_verified, excluded.horizontal_accuracy, excluded.vertical_accuracy,
          excluded.action_date, excluded.source)`);
    return { written, removed };
  },
});
