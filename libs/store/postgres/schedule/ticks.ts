import { claimOf } from '#domain/schedule/claims.ts';
import type { Claim, Slot } from '#domain/schedule/claims.ts';
import { sql } from '../sql.ts';
import type { Tx } from '../sql.ts';

export const tickWrites = (tx: Tx) => ({
  /**
   * Claims the slot `at` of a schedule at the time `now`. Looks at the same schedule take turns, so that of
   * several processes one finds it due.
   */
  claim: async (name: string, at: Date, now: Date): Promise<Claim> => {
    await tx.run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`tick:${name}`}, 0))`);
    const last = await tx.maybe<Slot>(sql`SELECT slot AS at, round FROM tick WHERE name = ${name}`);
    const claim = claimOf(last, at, now);
    if (claim.kind === 'known' || claim.kind === 'ahead') return claim;
    await tx.run(sql`INSERT INTO tick (name, slot, round) VALUES (${name}, ${claim.slot.at}, ${claim.slot.round})
      ON CONFLICT (name) DO UPDATE SET slot = excluded.slot, round = excluded.round`);
    return claim;
  },
});
