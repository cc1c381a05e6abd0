import type { ConsoleToken } from '#domain/console/token.ts';
import { insertId, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

const columns = sql`id, name, created_at, expires_at, used_at, revoked_at`;

export const consoleTokenRepo = (db: ReadDb) => ({
  /** Newest first. */
  list: (limit: number): Promise<ConsoleToken[]> =>
    db.any<ConsoleToken>(sql`SELECT ${columns} FROM console_token ORDER BY id DESC LIMIT ${limit}`),

  /** The token that may sign in now; null for an unknown, used, revoked or expired one. */
  unused: (tokenHash: Buffer, now: Date): Promise<ConsoleToken | null> =>
    db.maybe<ConsoleToken>(sql`SELECT ${columns} FROM console_token
      WHERE token_hash = ${tokenHash} AND used_at IS NULL AND revoked_at IS NULL AND expires_at > ${now}`),

  /** The token behind a session that has not ended. */
  ofSession: (sessionHash: Buffer, now: Date): Promise<ConsoleToken | null> =>
    db.maybe<ConsoleToken>(sql`SELECT ${columns} FROM console_token
      WHERE session_hash = ${sessionHash} AND revoked_at IS NULL AND expires_at > ${now}`),
});

export const consoleTokenWrites = (tx: Tx) => ({
  add: (token: { name: string; tokenHash: Buffer; createdAt: Date; expiresAt: Date }): Promise<number> =>
    insertId(tx, 'console_token', token),

  /** 0 when it was used, revoked or has expired in the meantime. */
  use: (id: number, sessionHash: Buffer, now: Date): Promise<number> =>
    tx.run(sql`UPDATE console_token SET used_at = ${now}, session_hash = ${sessionHash}
      WHERE id = ${id} AND used_at IS NULL AND revoked_at IS NULL AND expires_at > ${now}`),

  /** 0 when there is no such token, or it is revoked. */
  revoke: (id: number, now: Date): Promise<number> =>
    tx.run(sql`UPDATE console_token SET revoked_at = ${now} WHERE id = ${id} AND revoked_at IS NULL`),
});
