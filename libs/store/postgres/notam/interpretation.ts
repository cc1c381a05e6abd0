import type { Notam } from '#domain/notam/types.ts';
import { sql } from '../sql.ts';
import type { Tx } from '../sql.ts';
import { notamColumns, toNotam } from './notam.ts';
import type { NotamRow, StoredNotam } from './notam.ts';

/** Stored NOTAM whose texts an older version of the readers interpreted. */
export const notamInterpretationWrites = (tx: Tx) => ({
  /** At most `limit` of them, locked; those that another process has locked are left to it. */
  takeOutdated: async (version: number, limit: number): Promise<StoredNotam[]> => {
    const rows = await tx.any<NotamRow>(sql`
      SELECT ${notamColumns} FROM notam WHERE parser_version < ${version} AND cancelled_at IS NULL
      ORDER BY parser_version LIMIT ${limit} FOR UPDATE SKIP LOCKED`);
    return rows.map(toNotam);
  },

  /** Replaces schedule, effects, named runways and flags of stored NOTAM. Returns the number of rows. */
  replace: (
    notams: readonly (Pick<Notam, 'schedule' | 'effects' | 'flags' | 'runways'> & {
      id: number;
    })[],
    version: number,
  ): Promise<number> => {
    const rows = notams.map(({ id, schedule, effects, flags, runways }) => ({
      id,
      schedule: { schedule },
      effects,
      flags,
      runways,
    }));
    return tx.run(sql`
      UPDATE notam o SET effects = n.effects, flags = n.flags, runways = n.runways, items = o.items || n.schedule,
        parser_version = ${version}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n (
        id bigint, schedule jsonb, effects jsonb, flags text[], runways text[])
      WHERE o.id = n.id`);
  },
});
