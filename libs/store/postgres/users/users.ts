import type { Rank } from '#domain/users/fields.ts';
import { nextSecond } from '#domain/time.ts';
import { contains, insertId, setOf, sql } from '../sql.ts';
import type { SealedApiKey } from '../../auth/secrets.ts';
import type { ReadDb, Sql, Tx } from '../sql.ts';

export interface NewUser extends SealedApiKey {
  email: string;
  passwordHash: string;
  firstname: string;
  lastname: string;
  crewcode: string;
  rank: Rank;
  pinSealed: Buffer | null;
  preferences: Record<string, unknown>;
  /** The registering application; null for the operator. */
  developerKeyId: number | null;
  createdAt: Date;
}

interface Credentials {
  userId: number;
  passwordHash: string;
  isDisabled: boolean;
  tokenGeneration: number;
}

interface StoredPreferences {
  preferences: Readonly<Record<string, unknown>>;
  settingsLocked: boolean;
  revision: number;
}

/** An account as an operator sees it. */
export interface ListedUser {
  id: number;
  email: string;
  firstname: string;
  lastname: string;
  rank: string;
  crewcode: string;
  isDisabled: boolean;
  settingsLocked: boolean;
  lastLoginAt: Date | null;
  createdAt: Date;
}

/**
 * Ids of accounts whose address or names contain the text, as an array, which the planner evaluates before sorting
 * rows.
 */
export const accountsWith = (part: string): Sql => sql`
  ARRAY(SELECT id FROM app_user WHERE ${contains(sql`lower(email || ' ' || firstname || ' ' || lastname)`, part)})`;

const listedColumns = sql`id, email, firstname, lastname, rank, crewcode, disabled_at IS NOT NULL AS is_disabled,
  settings_locked, last_login_at, created_at`;

/** Accounts. Email addresses are compared case-insensitively. */
export const userRepo = (db: ReadDb) => ({
  credentials: (email: string): Promise<Credentials | null> =>
    db.maybe<Credentials>(sql`
      SELECT id AS user_id, password_hash, disabled_at IS NOT NULL AS is_disabled,
        token_generation
      FROM app_user WHERE lower(email) = lower(${email})`),

  byEmail: (email: string): Promise<ListedUser | null> =>
    db.maybe<ListedUser>(sql`SELECT ${listedColumns} FROM app_user WHERE lower(email) = lower(${email})`),

  byId: (id: number): Promise<ListedUser | null> =>
    db.maybe<ListedUser>(sql`SELECT ${listedColumns} FROM app_user WHERE id = ${id}`),

  /** Accounts whose email or name contains the text, newest first. */
  list: (search: string, limit: number, offset = 0): Promise<ListedUser[]> =>
    db.any<ListedUser>(sql`
      SELECT ${listedColumns} FROM app_user ${search === '' ? sql`` : sql`WHERE id = ANY (${accountsWith(search)})`}
      ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`),
});

/** Recipient of a mail about the account. */
export interface Addressee {
  email: string;
  firstname: string;
  tokenGeneration: number;
}

/** Given fields are written; null clears a value that may be absent. */
interface ProfileChange {
  firstname?: string | undefined;
  lastname?: string | undefined;
  rank?: Rank | undefined;
  crewcode?: string | undefined;
  chatID?: string | null | undefined;
  pinSealed?: Buffer | null | undefined;
  streamingActive?: boolean | undefined;
  streamingAlias?: string | null | undefined;
  activeVaId?: number | null | undefined;
}

export const userWrites = (tx: Tx) => ({
  /** The new id. Throws EMAIL_ALREADY_REGISTERED. */
  create: (user: NewUser): Promise<number> =>
    insertId(tx, 'app_user', { ...user, lastLoginAt: user.createdAt }),

  /** Moves the start of userStatisticsSinceLastLogin. */
  markLogin: (userId: number, at: Date): Promise<number> =>
    tx.run(sql`
      UPDATE app_user SET previous_login_at = last_login_at, last_login_at = ${at} WHERE id = ${userId}`),

  /** Replaces a hash below the current policy, unless the password was changed in the meantime. */
  upgradeHash: (userId: number, oldHash: string, newHash: string): Promise<number> =>
    tx.run(sql`
      UPDATE app_user SET password_hash = ${newHash} WHERE id = ${userId} AND password_hash = ${oldHash}`),

  setPassword: (userId: number, passwordHash: string): Promise<Addressee> =>
    tx.one<Addressee>(sql`
      UPDATE app_user SET password_hash = ${passwordHash} WHERE id = ${userId}
      RETURNING email, firstname, token_generation`),

  /** Locks the user; false if earlier credentials were revoked in the meantime. */
  holdGeneration: (userId: number, generation: number): Promise<boolean> =>
    tx.exists(sql`
      SELECT 1 AS found FROM app_user WHERE id = ${userId} AND token_generation = ${generation}
      FOR NO KEY UPDATE`),

  /**
   * Revokes all earlier credentials: the new generation revokes every token (G-03), the time revokes
   * signatures and confirmations.
   */
  endCredentials: (userId: number, now: Date): Promise<number> =>
    tx.run(sql`
      UPDATE app_user SET token_generation = token_generation + 1, credentials_from = ${nextSecond(now)}
      WHERE id = ${userId}`),

  /** The previous API key is refused from now on. Zero rows: no such user. */
  setApiKey: (userId: number, { apiKeyHash, apiKeySealed }: SealedApiKey): Promise<number> =>
    tx.run(sql`
      UPDATE app_user SET api_key_hash = ${apiKeyHash}, api_key_sealed = ${apiKeySealed} WHERE id = ${userId}`),

  disable: (userId: number, now: Date): Promise<number> =>
    tx.run(sql`UPDATE app_user SET disabled_at = coalesce(disabled_at, ${now}) WHERE id = ${userId}`),

  enable: (userId: number): Promise<number> =>
    tx.run(sql`UPDATE app_user SET disabled_at = NULL WHERE id = ${userId}`),

  saveProfile: (userId: number, { chatID: chatId, ...change }: ProfileChange): Promise<number> => {
    const given = Object.entries({ ...change, chatId }).filter(([, value]) => value !== undefined);
    // Without any change the statement is still valid.
    const row = { firstname: sql`firstname`, ...Object.fromEntries(given) };
    return tx.run(sql`UPDATE app_user SET ${setOf(row)} WHERE id = ${userId}`);
  },

  /** Stored preferences, locked until the end of the transaction: concurrent partial changes take turns. */
  lockPreferences: (userId: number): Promise<StoredPreferences> =>
    tx.one<StoredPreferences>(sql`
      SELECT preferences, settings_locked, preferences_revision AS revision
      FROM app_user WHERE id = ${userId} FOR NO KEY UPDATE`),

  /** The new revision. */
  setPreferences: (userId: number, preferences: Readonly<Record<string, unknown>>): Promise<number> =>
    tx.value<number>(sql`
        UPDATE app_user SET preferences = ${JSON.stringify(preferences)} WHERE id = ${userId}
        RETURNING preferences_revision AS revision`),

  /** Revision of the profile, which cannot change before the end of the transaction. */
  lockProfile: (userId: number): Promise<{ revision: number }> =>
    tx.one<{ revision: number }>(sql`SELECT revision FROM app_user WHERE id = ${userId} FOR NO KEY UPDATE`),

  lockSettings: (userId: number, isLocked: boolean): Promise<number> =>
    tx.run(sql`UPDATE app_user SET settings_locked = ${isLocked} WHERE id = ${userId}`),
});

export const formerUsageWrites = (tx: Tx) => ({
  /** Called before an account is deleted: stores its calculations since a time under the hash of its address. */
  keep: async (userId: number, emailHash: Buffer, since: Date): Promise<void> => {
    await tx.run(sql`UPDATE former_usage SET user_id = NULL WHERE user_id = ${userId}`);
    await tx.run(sql`
      INSERT INTO former_usage (email_hash, calculations, used_at)
      SELECT ${emailHash}::bytea, count(*), max(created_at) FROM calculation
      WHERE user_id = ${userId} AND created_at > ${since} GROUP BY date_trunc('day', created_at)`);
  },

  /** For a new account with this address, hashed with every key. */
  claim: (userId: number, emailHashes: readonly Buffer[]): Promise<number> =>
    tx.run(
      sql`UPDATE former_usage SET user_id = ${userId} WHERE email_hash = ANY (${[...emailHashes]}::bytea[])`,
    ),
});

interface NewSession {
  userId: number;
  developerKeyId: number | null;
  createdAt: Date;
  /** Expiry of the token that is issued for it. */
  expiresAt: Date;
}

/** Sessions of users: a token ends with its session. */
export const sessionWrites = (tx: Tx) => ({
  open: (session: NewSession): Promise<number> => insertId(tx, 'user_session', session),

  /** Extends it until a renewed token expires. Zero rows: it has ended. */
  extend: (id: number, expiresAt: Date): Promise<number> =>
    tx.run(sql`UPDATE user_session SET expires_at = greatest(expires_at, ${expiresAt}) WHERE id = ${id}`),

  end: (id: number): Promise<number> => tx.run(sql`DELETE FROM user_session WHERE id = ${id}`),

  endAll: (userId: number): Promise<number> =>
    tx.run(sql`DELETE FROM user_session WHERE user_id = ${userId}`),
});
