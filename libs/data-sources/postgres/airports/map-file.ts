import { mapPath } from '#domain/airports/map.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

export interface MapFile {
  /** `airports-<hash>.geojson`. */
  name: string;
  features: number;
  bytes: number;
  createdAt: Date;
}

/** Where a map file lies in the file storage; beside it the same, packed. */
export const mapFileKey = (name: string): string => `maps/${name}`;
export const packedMapFileKey = (name: string): string => `maps/${name}.gz`;

/** Clients that were given an older address a moment ago can still fetch it. */
const keptFiles = 3;

export const mapFileRepo = (db: ReadDb) => {
  const current = (): Promise<MapFile | null> =>
    db.maybe<MapFile>(
      sql`SELECT name, features, bytes, created_at AS "createdAt" FROM map_file ORDER BY id DESC LIMIT 1`,
    );
  return {
    current,
    /** Path of the file that the feed `map` made last; before the first one, of the map as it would be made now. */
    currentPath: async (): Promise<string> => mapPath(await current()),
  };
};

export const mapFileWrites = (tx: Tx) => ({
  /** Makes a stored file the one that is served. Returns the names of files that nobody needs any more. */
  switchTo: async (file: MapFile): Promise<string[]> => {
    await tx.run(sql`DELETE FROM map_file WHERE name = ${file.name}`);
    await tx.run(sql`INSERT INTO map_file (name, features, bytes, created_at)
      VALUES (${file.name}, ${file.features}, ${file.bytes}, ${file.createdAt})`);
    const old = await tx.any<{ name: string }>(sql`DELETE FROM map_file
      WHERE id NOT IN (SELECT id FROM map_file ORDER BY id DESC LIMIT ${keptFiles}) RETURNING name`);
    return old.map(({ name }) => name);
  },
});
