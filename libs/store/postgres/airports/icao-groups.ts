import { icaoGroups, renamedIcaos } from '#domain/airports/former-icaos.ts';
import type { IcaoHistory } from '#domain/airports/former-icaos.ts';
import { sql } from '../sql.ts';
import type { ReadDb } from '../sql.ts';

export const icaoGroupRepo = (db: ReadDb) => ({
  /** All codes of the same airport by each of them, the present one first; only of airports whose code changed. */
  all: async (): Promise<ReadonlyMap<string, readonly string[]>> => {
    const airports = await db.any<IcaoHistory>(sql`
      SELECT icao, former_icaos FROM airport
      WHERE removed_at IS NULL AND former_icaos <> '{}' ORDER BY icao`);
    const codes = [...renamedIcaos, ...airports.flatMap(({ formerIcaos }) => formerIcaos)];
    const inService = await db.any<{ icao: string }>(sql`
      SELECT icao FROM airport WHERE removed_at IS NULL AND icao = ANY(${codes}::text[])`);
    return icaoGroups(airports, new Set(inService.map(({ icao }) => icao)));
  },
});
