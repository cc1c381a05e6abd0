import type { DeveloperKey } from '#domain/users/types.ts';
import { hashOfKey, newDeveloperKey } from '#platform/developer-keys.ts';
import { insertOf, setOf, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

interface KeyPermissions extends Omit<DeveloperKey, 'id' | 'name'> {
  /** URL scheme of links that open the app; null: `app`. */
  appScheme: string | null;
}

interface ListedKey extends DeveloperKey, KeyPermissions {
  /** First characters, to recognise a key. */
  hint: string;
  createdAt: Date;
  revokedAt: Date | null;
}

const columns = sql`id, name, key_hint AS hint, user_info, weather, efb, library, subscription,
  return_url_hosts, app_scheme, created_at, revoked_at`;

export const developerKeyRepo = (db: ReadDb) => ({
  list: (): Promise<ListedKey[]> => db.any<ListedKey>(sql`SELECT ${columns} FROM developer_key ORDER BY id`),

  byId: (id: number): Promise<ListedKey | null> =>
    db.maybe<ListedKey>(sql`SELECT ${columns} FROM developer_key WHERE id = ${id}`),

  /** Whether this key was ever created, including revoked ones. */
  isKnown: (key: string): Promise<boolean> =>
    db.exists(sql`SELECT 1 FROM developer_key WHERE key_hash = ${hashOfKey(key)}`),
});

/** Only a hash is stored, so the key itself is only known to `create` (M-5.2). */
export const developerKeyWrites = (tx: Tx) => ({
  /** Several processes may create the same given key: they take turns until the transaction ends. */
  lock: (): Promise<number> => tx.run(sql`SELECT pg_advisory_xact_lock(hashtext('developer key'))`),

  create: async (
    name: string,
    permissions: KeyPermissions,
    now: Date,
    key: string = newDeveloperKey(),
  ): Promise<ListedKey & { key: string }> => {
    const row = { name, ...permissions, keyHash: hashOfKey(key), keyHint: key.slice(0, 7), createdAt: now };
    const created = sql`${insertOf('developer_key', row)} RETURNING ${columns}`;
    return { ...(await tx.one<ListedKey>(created)), key };
  },

  update: (id: number, changes: Partial<KeyPermissions> & { name: string }): Promise<number> =>
    tx.run(sql`UPDATE developer_key SET ${setOf(changes)} WHERE id = ${id}`),

  /** Zero rows: no such key, or accounts were registered with it. */
  delete: (id: number): Promise<number> =>
    tx.run(sql`DELETE FROM developer_key k WHERE id = ${id}
      AND NOT EXISTS (SELECT 1 FROM app_user u WHERE u.developer_key_id = k.id)`),

  /** Takes effect immediately in every process. Zero rows: no such key, or already revoked. */
  revoke: (id: number, now: Date): Promise<number> =>
    tx.run(sql`UPDATE developer_key SET revoked_at = ${now} WHERE id = ${id} AND revoked_at IS NULL`),
});
