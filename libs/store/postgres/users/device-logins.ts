import type { DeviceLogin } from '#domain/users/device-login.ts';
import { insertOf, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

interface NewDeviceLogin {
  deviceCodeHash: Buffer;
  userCodeHash: Buffer;
  developerKeyId: number;
  createdAt: Date;
  expiresAt: Date;
  intervalSeconds: number;
}

const columns = sql`l.id, l.developer_key_id, k.name AS application, k.user_info, k.weather, k.efb, k.library,
  k.subscription, l.expires_at, l.interval_seconds, l.asked_at, l.state, l.user_id, l.token_generation`;
const from = sql`FROM device_login l JOIN developer_key k ON k.id = l.developer_key_id AND k.revoked_at IS NULL`;

export const deviceLoginRepo = (db: ReadDb) => ({
  /** The pending login with this code. */
  waiting: (userCodeHashes: readonly Buffer[], now: Date): Promise<DeviceLogin | null> =>
    db.maybe<DeviceLogin>(sql`
      SELECT ${columns} ${from} WHERE l.user_code_hash = ANY (${[...userCodeHashes]}::bytea[]) AND l.state = 'waiting'
        AND l.expires_at > ${now} ORDER BY l.id DESC LIMIT 1`),
});

export const deviceLoginWrites = (tx: Tx) => ({
  insert: (login: NewDeviceLogin): Promise<number> => tx.run(insertOf('device_login', login)),

  /** Locks the login of a device for the application that began it. */
  lock: (deviceCodeHash: Buffer, developerKeyId: number): Promise<DeviceLogin | null> =>
    tx.maybe<DeviceLogin>(sql`
      SELECT ${columns} ${from} WHERE l.device_code_hash = ${deviceCodeHash} AND l.developer_key_id = ${developerKeyId}
      FOR NO KEY UPDATE OF l`),

  noteAsked: (id: number, now: Date, intervalSeconds: number): Promise<number> =>
    tx.run(
      sql`UPDATE device_login SET asked_at = ${now}, interval_seconds = ${intervalSeconds} WHERE id = ${id}`,
    ),

  /** Zero rows: it is no longer pending. */
  answer: (
    id: number,
    state: 'approved' | 'refused',
    { userId, generation }: { userId: number; generation: number },
  ): Promise<number> =>
    tx.run(sql`
      UPDATE device_login SET state = ${state}, user_id = ${userId}, token_generation = ${generation}
      WHERE id = ${id} AND state = 'waiting'`),

  end: (id: number): Promise<number> => tx.run(sql`DELETE FROM device_login WHERE id = ${id}`),
});
