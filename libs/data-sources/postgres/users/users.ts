import { DomainError } from '#domain/errors.ts';
import type { Rank } from '#domain/users/fields.ts';
import { newApiKey } from '../../auth/api-keys.ts';
import { sql } from '../sql.ts';
import type { Db, Tx } from '../sql.ts';

export interface NewUser {
  email: string;
  passwordHash: string;
  firstname: string;
  lastname: string;
  crewcode: string;
  rank: Rank;
  pin: string | null;
  preferences: Record<string, unknown>;
  developerKeyId: number | null;
  createdAt: Date;
}

export interface Credentials {
  userId: number;
  passwordHash: string;
  isDisabled: boolean;
  tokenGeneration: number;
}

const isDuplicate = (error: unknown, constraint: string): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === constraint;

/** Accounts. Mail addresses are compared without regard to case. */
export const userRepo = (db: Db) => ({
  /** The new id. Throws EMAIL_ALREADY_REGISTERED, also when two calls race. */
  create: async (user: NewUser): Promise<number> => {
    try {
      const { id } = await db.one<{ id: number }>(sql`
        INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode, rank, pin, preferences, api_key,
          developer_key_id, last_login_at, created_at)
        VALUES (${user.email}, ${user.passwordHash}, ${user.firstname}, ${user.lastname}, ${user.crewcode},
          ${user.rank}, ${user.pin}, ${JSON.stringify(user.preferences)}, ${newApiKey()}, ${user.developerKeyId},
          ${user.createdAt}, ${user.createdAt})
        RETURNING id`);
      return id;
    } catch (error) {
      if (isDuplicate(error, 'app_user_email')) throw new DomainError('EMAIL_ALREADY_REGISTERED');
      throw error;
    }
  },

  isRegistered: async (email: string): Promise<boolean> =>
    (await db.maybe(sql`SELECT 1 AS found FROM app_user WHERE lower(email) = lower(${email})`)) !== null,

  credentials: (email: string): Promise<Credentials | null> =>
    db.maybe<Credentials>(sql`
      SELECT id AS "userId", password_hash AS "passwordHash", disabled_at IS NOT NULL AS "isDisabled",
        token_generation AS "tokenGeneration"
      FROM app_user WHERE lower(email) = lower(${email})`),

  /** Moves the marks of userStatisticsSinceLastLogin. */
  markLogin: (userId: number, at: Date): Promise<number> =>
    db.run(sql`
      UPDATE app_user SET previous_login_at = last_login_at, last_login_at = ${at} WHERE id = ${userId}`),

  /** Replaces a hash below today's policy, unless the password was changed meanwhile. */
  upgradeHash: (userId: number, oldHash: string, newHash: string): Promise<number> =>
    db.run(sql`
      UPDATE app_user SET password_hash = ${newHash} WHERE id = ${userId} AND password_hash = ${oldHash}`),

  /** Names of the supported online networks, first one first. */
  onlineNetworks: async (): Promise<string[]> =>
    (await db.any<{ name: string }>(sql`SELECT name FROM online_network ORDER BY position`)).map(
      ({ name }) => name,
    ),
});

/** New password; every token issued before dies with the old generation (G-03). */
export const setPassword = (tx: Tx, userId: number, passwordHash: string): Promise<number> =>
  tx.run(sql`
    UPDATE app_user SET password_hash = ${passwordHash}, token_generation = token_generation + 1
    WHERE id = ${userId}`);
