import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

export interface DeveloperAccount {
  userId: number;
  email: string;
  name: string;
}

export const developerSessionRepo = (db: ReadDb) => ({
  /** The account of a session; null once the user has signed out everywhere, is disabled or changes the address. */
  account: (secretHash: Buffer, now: Date): Promise<DeveloperAccount | null> =>
    db.maybe<DeveloperAccount>(sql`
      SELECT u.id AS user_id, u.email, u.firstname || ' ' || u.lastname AS name
      FROM developer_session s JOIN app_user u ON u.id = s.user_id
      WHERE s.secret_hash = ${secretHash} AND s.expires_at > ${now} AND s.token_generation = u.token_generation
        AND u.disabled_at IS NULL AND u.email_verified_at IS NOT NULL`),
});

export const developerSessionWrites = (tx: Tx) => ({
  /** False: the address of the account is not verified. */
  open: async (
    { userId, generation }: { userId: number; generation: number },
    { secretHash, createdAt, expiresAt }: { secretHash: Buffer; createdAt: Date; expiresAt: Date },
  ): Promise<boolean> =>
    (await tx.run(sql`
      INSERT INTO developer_session (user_id, secret_hash, token_generation, created_at, expires_at)
      SELECT id, ${secretHash}, ${generation}, ${createdAt}, ${expiresAt} FROM app_user
      WHERE id = ${userId} AND email_verified_at IS NOT NULL`)) > 0,

  end: (secretHash: Buffer): Promise<number> =>
    tx.run(sql`DELETE FROM developer_session WHERE secret_hash = ${secretHash}`),
});
