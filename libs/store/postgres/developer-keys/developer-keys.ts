import type { DeveloperKey } from '#domain/users/types.ts';
import { hashOfKey, newDeveloperKey } from '#platform/developer-keys.ts';
import { insertOf, setOf, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';
import type { Permissions } from '#domain/developers/permissions.ts';

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

/** A developer key as its owner sees it. */
export interface Application extends Permissions {
  id: number;
  name: string;
  /** First characters of the key. */
  hint: string;
  returnUrlHosts: string[];
  appScheme: string | null;
  createdAt: Date;
  revokedAt: Date | null;
  /** The previous key is accepted until then. */
  previousUntil: Date | null;
  /** The application for more permissions that awaits the operator's decision. */
  requested: Permissions | null;
  requestedAt: Date | null;
  requestReason: string | null;
}

interface PermissionRequest extends Application {
  ownerEmail: string;
}

const applicationColumns = sql`k.id, k.name, k.key_hint AS hint, k.user_info, k.weather, k.efb, k.library, k.subscription,
  k.return_url_hosts, k.app_scheme, k.created_at, k.revoked_at, k.previous_until,
  k.requested_permissions AS requested, k.requested_at, k.request_reason`;

export const applicationRepo = (db: ReadDb) => ({
  /** Applications of this account, active ones first. */
  ofOwner: (ownerId: number): Promise<Application[]> =>
    db.any<Application>(sql`
      SELECT ${applicationColumns} FROM developer_key k WHERE k.owner_id = ${ownerId}
      ORDER BY k.revoked_at IS NOT NULL, k.id LIMIT 100`),

  /** One application of this account. */
  byId: (id: number, ownerId: number): Promise<Application | null> =>
    db.maybe<Application>(
      sql`SELECT ${applicationColumns} FROM developer_key k WHERE k.id = ${id} AND k.owner_id = ${ownerId}`,
    ),

  /** Applications that await a decision, oldest first. */
  requests: (): Promise<PermissionRequest[]> =>
    db.any<PermissionRequest>(sql`
      SELECT ${applicationColumns}, u.email AS owner_email FROM developer_key k JOIN app_user u ON u.id = k.owner_id
      WHERE k.requested_permissions IS NOT NULL AND k.revoked_at IS NULL ORDER BY k.requested_at, k.id LIMIT 200`),

  /** Name of a developer's own key; null for keys of the operator. */
  selfMadeName: (id: number): Promise<string | null> =>
    db.valueOrNull<string>(sql`SELECT name FROM developer_key WHERE id = ${id} AND owner_id IS NOT NULL`),

  /** Contact address of an application; null: the operator. */
  ownerEmail: (id: number): Promise<string | null> =>
    db.valueOrNull<string>(
      sql`SELECT u.email FROM developer_key k JOIN app_user u ON u.id = k.owner_id WHERE k.id = ${id}`,
    ),
});

export const applicationWrites = (tx: Tx) => ({
  /** Locks the account, so that concurrent creations are counted one after the other. */
  countOf: async (ownerId: number): Promise<number> => {
    await tx.any(sql`SELECT id FROM app_user WHERE id = ${ownerId} FOR NO KEY UPDATE`);
    return tx.value<number>(
      sql`SELECT count(*)::int AS count FROM developer_key WHERE owner_id = ${ownerId} AND revoked_at IS NULL`,
    );
  },

  setOwner: (id: number, ownerId: number): Promise<number> =>
    tx.run(sql`UPDATE developer_key SET owner_id = ${ownerId} WHERE id = ${id}`),

  /** A new key, which is shown only once; null: no such active application. */
  rotate: async (id: number, previousUntil: Date): Promise<string | null> => {
    const key = newDeveloperKey();
    const rows = await tx.run(sql`
      UPDATE developer_key SET previous_key_hash = key_hash, previous_until = ${previousUntil}, key_hash = ${hashOfKey(key)},
        key_hint = ${key.slice(0, 7)}
      WHERE id = ${id} AND revoked_at IS NULL`);
    return rows === 0 ? null : key;
  },

  setPermissions: (id: number, permissions: Permissions): Promise<number> =>
    tx.run(sql`UPDATE developer_key SET ${setOf(permissions)} WHERE id = ${id}`),

  /** Null: no decision is pending any more. */
  setRequest: (
    id: number,
    requested: Permissions | null,
    reason: string | null,
    now: Date,
  ): Promise<number> =>
    tx.run(sql`
      UPDATE developer_key SET requested_permissions = ${requested === null ? null : JSON.stringify(requested)}::jsonb,
        requested_at = ${requested === null ? null : now}, request_reason = ${requested === null ? null : reason}
      WHERE id = ${id}`),

  /** Permissions of an active application, locked. */
  lockPermissions: (id: number): Promise<Permissions | null> =>
    tx.maybe<Permissions>(sql`
      SELECT user_info, weather, efb, library, subscription FROM developer_key
      WHERE id = ${id} AND revoked_at IS NULL FOR NO KEY UPDATE`),

  /** Pending request of an active application, locked. */
  lockRequest: (id: number): Promise<Permissions | null> =>
    tx.valueOrNull<Permissions>(sql`
        SELECT requested_permissions AS requested FROM developer_key
        WHERE id = ${id} AND requested_permissions IS NOT NULL AND revoked_at IS NULL FOR NO KEY UPDATE`),
});
