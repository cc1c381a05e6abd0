import { insertId, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

interface NewEmailProof {
  userId: number;
  /** Receives the link. */
  address: string;
  /** Address after the change; null: the link verifies the address of the account. */
  newAddress: string | null;
  tokenHash: Buffer;
  createdAt: Date;
  expiresAt: Date;
}

export interface EmailProof extends Pick<NewEmailProof, 'userId' | 'address' | 'newAddress' | 'expiresAt'> {
  id: number;
  /** Also true if the account has another address by now. */
  isUsed: boolean;
}

export const emailProofRepo = (db: ReadDb) => ({
  byHash: (tokenHash: Buffer): Promise<EmailProof | null> =>
    db.maybe<EmailProof>(sql`
      SELECT p.id, p.user_id, p.address, p.new_address, p.expires_at,
        p.used_at IS NOT NULL OR (p.new_address IS NULL AND p.address <> u.email) AS is_used
      FROM email_proof p JOIN app_user u ON u.id = p.user_id WHERE p.token_hash = ${tokenHash}`),
});

export const emailProofWrites = (tx: Tx) => ({
  /** Locks the user, so that the two links of a change take turns. */
  lockUser: (userId: number): Promise<number> =>
    tx.run(sql`SELECT 1 FROM app_user WHERE id = ${userId} FOR NO KEY UPDATE`),

  /** The new id. */
  add: (proof: NewEmailProof): Promise<number> => insertId(tx, 'email_proof', proof),

  /** False when the link has been used or replaced in the meantime. */
  use: async (id: number, now: Date): Promise<boolean> =>
    (await tx.run(sql`UPDATE email_proof SET used_at = ${now} WHERE id = ${id} AND used_at IS NULL`)) > 0,

  /** True while the other link of a change has not been used. */
  isChangeOpen: (userId: number): Promise<boolean> =>
    tx.exists(sql`
      SELECT 1 AS found FROM email_proof WHERE user_id = ${userId} AND new_address IS NOT NULL AND used_at IS NULL
      LIMIT 1`),

  /** Ends an incomplete change of the address. */
  endChange: (userId: number): Promise<number> =>
    tx.run(sql`DELETE FROM email_proof WHERE user_id = ${userId} AND new_address IS NOT NULL`),

  verify: (userId: number, now: Date): Promise<number> =>
    tx.run(
      sql`UPDATE app_user SET email_verified_at = coalesce(email_verified_at, ${now}) WHERE id = ${userId}`,
    ),

  /** Sets a new address, which is verified. Throws EMAIL_ALREADY_REGISTERED. */
  change: (userId: number, address: string, now: Date): Promise<number> =>
    tx.run(sql`UPDATE app_user SET email = ${address}, email_verified_at = ${now} WHERE id = ${userId}`),
});
