import { insertId, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

/** Where the page leads after a reset. */
interface ResetTarget {
  returnUrl: string | null;
  /** Name of the developer's application that asked for it; null for keys of the operator. */
  application: string | null;
}

interface ResetRequest extends ResetTarget {
  email: string;
  requestedAt: Date;
}

export interface StoredReset extends ResetTarget {
  id: number;
  userId: number;
  expiresAt: Date;
  isUsed: boolean;
}

interface NewReset extends ResetTarget {
  userId: number;
  tokenHash: Buffer;
  createdAt: Date;
  expiresAt: Date;
}

interface ResetAccount {
  userId: number;
  email: string;
  firstname: string;
}

export const passwordResetRepo = (db: ReadDb) => ({
  byHash: (tokenHash: Buffer): Promise<StoredReset | null> =>
    db.maybe<StoredReset>(sql`
      SELECT id, user_id, return_url, application, expires_at,
        used_at IS NOT NULL AS is_used
      FROM password_reset WHERE token_hash = ${tokenHash}`),

  wasMailedSince: (userId: number, since: Date): Promise<boolean> =>
    db.exists(sql`
      SELECT 1 AS found FROM password_reset WHERE user_id = ${userId} AND created_at > ${since} LIMIT 1`),
});

export const passwordResetWrites = (tx: Tx) => ({
  addRequest: (request: ResetRequest): Promise<number> => insertId(tx, 'password_reset_request', request),

  /** Removes the request; null if another run has taken it. */
  takeRequest: (id: number): Promise<ResetRequest | null> =>
    tx.maybe<ResetRequest>(sql`
      DELETE FROM password_reset_request WHERE id = ${id}
      RETURNING email, return_url, application, requested_at`),

  /** The active account of this email address, locked, so that two requests are handled one after the other. */
  lockAccount: (email: string): Promise<ResetAccount | null> =>
    tx.maybe<ResetAccount>(sql`
      SELECT id AS user_id, email, firstname FROM app_user
      WHERE lower(email) = lower(${email}) AND disabled_at IS NULL FOR UPDATE`),

  add: (reset: NewReset): Promise<number> => insertId(tx, 'password_reset', reset),

  /** Marks the link as used. False if it was used in the meantime. */
  use: async ({ id }: Pick<StoredReset, 'id'>, now: Date): Promise<boolean> => {
    const used = await tx.run(
      sql`UPDATE password_reset SET used_at = ${now} WHERE id = ${id} AND used_at IS NULL`,
    );
    return used > 0;
  },

  /** Marks every link of the user as used. */
  endAll: (userId: number, now: Date): Promise<number> =>
    tx.run(sql`UPDATE password_reset SET used_at = ${now} WHERE user_id = ${userId} AND used_at IS NULL`),
});
