import { sql } from '../sql.ts';
import type { Tx } from '../sql.ts';

export interface NewSession {
  userId: number;
  developerKeyId: number | null;
  createdAt: Date;
  /** End of the token that is issued for it. */
  expiresAt: Date;
}

/** Where users are signed in: a token ends with its session. */
export const sessionWrites = (tx: Tx) => ({
  open: async (session: NewSession): Promise<number> => {
    const { id } = await tx.one<{ id: number }>(sql`
      INSERT INTO user_session (user_id, developer_key_id, created_at, expires_at)
      VALUES (${session.userId}, ${session.developerKeyId}, ${session.createdAt}, ${session.expiresAt}) RETURNING id`);
    return id;
  },

  /** Keeps it until a renewed token has expired. Zero rows: it has ended. */
  extend: (id: number, expiresAt: Date): Promise<number> =>
    tx.run(sql`UPDATE user_session SET expires_at = greatest(expires_at, ${expiresAt}) WHERE id = ${id}`),

  end: (id: number): Promise<number> => tx.run(sql`DELETE FROM user_session WHERE id = ${id}`),

  endAll: (userId: number): Promise<number> =>
    tx.run(sql`DELETE FROM user_session WHERE user_id = ${userId}`),
});
