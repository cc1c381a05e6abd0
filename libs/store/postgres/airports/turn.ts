import { sql } from '../sql.ts';
import type { Tx } from '../sql.ts';

/** Longer than an import of the whole world takes. */
const waitLimit = '50s';

/** Writes of many airports take turns: two at once would lock the same rows in different orders. */
export const airportTurnWrites = (tx: Tx) => ({
  /**
   * Waits until no other transaction writes many airports, until the end of this one. The usual lock timeout is
   * shorter than an import, so the transaction has a longer one from here on.
   */
  take: async (): Promise<void> => {
    await tx.run(sql`SELECT set_config('lock_timeout', ${waitLimit}, true)`);
    await tx.run(sql`SELECT pg_advisory_xact_lock(hashtext('airport import'))`);
  },
});
