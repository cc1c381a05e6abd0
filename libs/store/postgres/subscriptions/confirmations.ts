import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

export const confirmationRepo = (db: ReadDb) => ({
  isUsed: (tokenHash: Buffer): Promise<boolean> =>
    db.exists(sql`SELECT 1 AS found FROM used_confirmation WHERE token_hash = ${tokenHash}`),
});

export const confirmationWrites = (tx: Tx) => ({
  /** False when the token was used before. */
  use: async (tokenHash: Buffer, userId: number, expiresAt: Date): Promise<boolean> =>
    (await tx.run(sql`
      INSERT INTO used_confirmation (token_hash, user_id, expires_at) VALUES (${tokenHash}, ${userId}, ${expiresAt})
      ON CONFLICT (token_hash) DO NOTHING`)) > 0,

  /** For a refused action, which does not use up the token. */
  release: (tokenHash: Buffer): Promise<number> =>
    tx.run(sql`DELETE FROM used_confirmation WHERE token_hash = ${tokenHash}`),
});
