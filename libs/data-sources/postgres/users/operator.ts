import { sql } from '../sql.ts';
import type { Db } from '../sql.ts';

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

type Row = ListedUser & Record<string, unknown>;

const columns = sql`id, email, firstname, lastname, rank, crewcode, disabled_at IS NOT NULL AS "isDisabled",
  settings_locked AS "settingsLocked", last_login_at AS "lastLoginAt", created_at AS "createdAt"`;

/** What an operator does with accounts. */
export const userOperatorRepo = (db: Db) => ({
  /** Accounts whose mail or name contains the text, newest first. */
  list: (search: string, limit: number): Promise<ListedUser[]> =>
    db.any<Row>(sql`
      SELECT ${columns} FROM app_user
      WHERE position(lower(${search}) IN lower(email || ' ' || firstname || ' ' || lastname)) > 0
      ORDER BY id DESC LIMIT ${limit}`),

  byEmail: (email: string): Promise<ListedUser | null> =>
    db.maybe<Row>(sql`SELECT ${columns} FROM app_user WHERE lower(email) = lower(${email})`),

  /** Tokens issued before die with the generation, also after the account is enabled again (G-03). */
  disable: (userId: number, now: Date): Promise<number> =>
    db.run(sql`
      UPDATE app_user SET disabled_at = coalesce(disabled_at, ${now}), token_generation = token_generation + 1
      WHERE id = ${userId}`),

  enable: (userId: number): Promise<number> =>
    db.run(sql`UPDATE app_user SET disabled_at = NULL WHERE id = ${userId}`),

  lockSettings: (userId: number, isLocked: boolean): Promise<number> =>
    db.run(sql`UPDATE app_user SET settings_locked = ${isLocked} WHERE id = ${userId}`),

  /** Extra calculations, counted for 30 days from now (G-33). */
  giveCalculations: (userId: number, amount: number, now: Date): Promise<number> =>
    db.run(sql`
      INSERT INTO calculation_gift (user_id, amount, given_at) VALUES (${userId}, ${amount}, ${now})`),
});
