import { mapPath } from '#domain/airports/map.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

interface MapFile {
  /** `airports-<hash>.geojson`. */
  name: string;
  features: number;
  bytes: number;
  createdAt: Date;
}

/** Storage key of a map file. */
export const mapFileKey = (name: string): string => `maps/${name}`;

/** Clients that have just received an older URL can still fetch it. */
const keptFiles = 3;

export const mapFileRepo = (db: ReadDb) => {
  const current = (): Promise<MapFile | null> =>
    db.maybe<MapFile>(sql`SELECT name, features, bytes, created_at FROM map_file ORDER BY id DESC LIMIT 1`);
  return {
    current,
    /** Path of the latest file of the feed `map`; before the first one, of a map generated on request. */
    currentPath: async (): Promise<string> => mapPath(await current()),
  };
};

export const mapFileWrites = (tx: Tx) => ({
  /** Activates a stored file. Returns the names of files that are no longer needed. */
  switchTo: async (file: MapFile): Promise<string[]> => {
    await tx.run(sql`DELETE FROM map_file WHERE name = ${file.name}`);
    await tx.run(sql`INSERT INTO map_file (name, features, bytes, created_at)
      VALUES (${file.name}, ${file.features}, ${file.bytes}, ${file.createdAt})`);
    return tx.values<string>(sql`DELETE FROM map_file
      WHERE id NOT IN (SELECT id FROM map_file ORDER BY id DESC LIMIT ${keptFiles}) RETURNING name`);
  },
});
