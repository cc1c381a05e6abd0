/** Calculations of an earlier account with the same email address, which count until they are 30 days old. */
import { sql } from '../sql.ts';
import type { Tx } from '../sql.ts';

export const formerUsageWrites = (tx: Tx) => ({
  /** Before an account is deleted: notes its calculations since a time under the hash of its address. */
  keep: async (userId: number, emailHash: Buffer, since: Date): Promise<void> => {
    await tx.run(sql`UPDATE former_usage SET user_id = NULL WHERE user_id = ${userId}`);
    await tx.run(sql`
      INSERT INTO former_usage (email_hash, calculations, used_at)
      SELECT ${emailHash}::bytea, count(*), max(created_at) FROM calculation
      WHERE user_id = ${userId} AND created_at > ${since} GROUP BY date_trunc('day', created_at)`);
  },

  /** For a new account with this address; the hashes are those of every key. */
  claim: (userId: number, emailHashes: readonly Buffer[]): Promise<number> =>
    tx.run(
      sql`UPDATE former_usage SET user_id = ${userId} WHERE email_hash = ANY (${[...emailHashes]}::bytea[])`,
    ),
});
