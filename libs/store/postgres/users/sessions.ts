import { insertId, sql } from '../sql.ts';
import type { Tx } from '../sql.ts';

interface NewSession {
  userId: number;
  developerKeyId: number | null;
  createdAt: Date;
  /** End of the token that is issued for it. */
  expiresAt: Date;
}

/** Where users are signed in: a token ends with its session. */
export const sessionWrites = (tx: Tx) => ({
  open: (session: NewSession): Promise<number> => insertId(tx, 'user_session', session),

  /** Keeps it until a renewed token has expired. Zero rows: it has ended. */
  extend: (id: number, expiresAt: Date): Promise<number> =>
    tx.run(sql`UPDATE user_session SET expires_at = greatest(expires_at, ${expiresAt}) WHERE id = ${id}`),

  end: (id: number): Promise<number> => tx.run(sql`DELETE FROM user_session WHERE id = ${id}`),

  endAll: (userId: number): Promise<number> =>
    tx.run(sql`DELETE FROM user_session WHERE user_id = ${userId}`),
});
