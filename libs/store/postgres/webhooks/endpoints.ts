import type { WebhookEvent } from '#domain/webhooks/events.ts';
import { insertId, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

export interface WebhookEndpoint {
  id: number;
  developerKeyId: number;
  /** Name of the developer key. */
  application: string;
  url: string;
  events: WebhookEvent[];
  createdAt: Date;
  failingSince: Date | null;
  disabledAt: Date | null;
}

interface NewEndpoint {
  developerKeyId: number;
  url: string;
  events: readonly WebhookEvent[];
  secretSealed: Buffer;
  createdAt: Date;
}

const columns = sql`e.id, e.developer_key_id, k.name AS application, e.url, e.events, e.created_at,
  e.failing_since, e.disabled_at`;

const from = sql`FROM webhook_endpoint e JOIN developer_key k ON k.id = e.developer_key_id`;

export const webhookEndpointRepo = (db: ReadDb) => ({
  /** Endpoints of one application, or (null) of all. */
  list: (developerKeyId: number | null): Promise<WebhookEndpoint[]> =>
    db.any<WebhookEndpoint>(sql`
      SELECT ${columns} ${from} WHERE ${developerKeyId}::int IS NULL OR e.developer_key_id = ${developerKeyId} ORDER BY e.id`),

  byId: (id: number): Promise<WebhookEndpoint | null> =>
    db.maybe<WebhookEndpoint>(sql`SELECT ${columns} ${from} WHERE e.id = ${id}`),
});

/** Functions that change one row return 0 when there is none. */
export const webhookEndpointWrites = (tx: Tx) => ({
  /**
   * Adds an endpoint for the account that has this developer key, or for the key alone if it is the operator's; null:
   * no active key. Locks the owner first, so that concurrent additions are counted one after the other.
   */
  countOf: async (developerKeyId: number): Promise<number | null> => {
    const key = await tx.maybe<{ ownerId: number | null }>(sql`
      SELECT owner_id FROM developer_key WHERE id = ${developerKeyId} AND revoked_at IS NULL FOR NO KEY UPDATE`);
    if (!key) return null;
    const { ownerId } = key;
    if (ownerId !== null) await tx.any(sql`SELECT id FROM app_user WHERE id = ${ownerId} FOR NO KEY UPDATE`);
    return tx.value<number>(sql`
      SELECT count(*)::int AS count FROM webhook_endpoint e JOIN developer_key k ON k.id = e.developer_key_id
      WHERE k.id = ${developerKeyId} OR (k.owner_id = ${ownerId} AND k.revoked_at IS NULL)`);
  },

  isThere: (id: number): Promise<boolean> =>
    tx.exists(sql`SELECT 1 AS found FROM webhook_endpoint WHERE id = ${id} FOR KEY SHARE`),

  insert: (endpoint: NewEndpoint): Promise<number> => insertId(tx, 'webhook_endpoint', endpoint),

  /** The previous secret signs, too, until then. */
  rotate: (id: number, secretSealed: Buffer, previousUntil: Date): Promise<number> =>
    tx.run(sql`
      UPDATE webhook_endpoint SET previous_sealed = secret_sealed, previous_until = ${previousUntil},
        secret_sealed = ${secretSealed}
      WHERE id = ${id}`),

  enable: (id: number): Promise<number> =>
    tx.run(sql`UPDATE webhook_endpoint SET disabled_at = NULL, failing_since = NULL WHERE id = ${id}`),

  /** Zero also for one that is already disabled. */
  disable: (id: number, now: Date): Promise<number> =>
    tx.run(sql`UPDATE webhook_endpoint SET disabled_at = ${now} WHERE id = ${id} AND disabled_at IS NULL`),

  noteSuccess: (id: number): Promise<number> =>
    tx.run(
      sql`UPDATE webhook_endpoint SET failing_since = NULL WHERE id = ${id} AND failing_since IS NOT NULL`,
    ),

  noteFailure: (id: number, now: Date): Promise<number> =>
    tx.run(
      sql`UPDATE webhook_endpoint SET failing_since = ${now} WHERE id = ${id} AND failing_since IS NULL`,
    ),

  remove: (id: number): Promise<number> => tx.run(sql`DELETE FROM webhook_endpoint WHERE id = ${id}`),
});
