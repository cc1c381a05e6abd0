import type { WebhookEvent } from '#domain/webhooks/events.ts';
import { insertId, sql } from '../sql.ts';
import type { ReadDb, Sql, Tx } from '../sql.ts';
import { isDisabled } from '../users/identities.ts';

interface WebhookDelivery {
  id: number;
  endpointId: number;
  messageId: string;
  event: string;
  body: string;
  createdAt: Date;
  attempts: number;
  nextAt: Date | null;
  lastAttemptAt: Date | null;
  lastStatus: number | null;
  lastError: string | null;
  deliveredAt: Date | null;
}

/** A message due now, with the data needed to send it. */
export interface DueDelivery extends Pick<
  WebhookDelivery,
  'id' | 'endpointId' | 'messageId' | 'body' | 'attempts'
> {
  url: string;
  secretSealed: Buffer;
  /** The previous secret while messages are signed with both, else null. */
  previousSealed: Buffer | null;
  /** Owner of the application: an account, or (negative) a developer key of the operator. */
  owner: number;
}

interface Attempt {
  at: Date;
  /** HTTP status of the answer; null: none. */
  status: number | null;
  /** Null: delivered. */
  error: string | null;
  /** Null: delivered or abandoned. */
  nextAt: Date | null;
}

interface PublishedEvent {
  event: WebhookEvent;
  body: string;
  /** Only applications in which this user is signed in; null: every one that subscribes to the event. */
  userId: number | null;
  createdAt: Date;
  /** Time of the first attempt. */
  nextAt: Date;
}

const columns = sql`id, endpoint_id, message_id, event, body, created_at, attempts, next_at, last_attempt_at,
  last_status, last_error, delivered_at`;

/** A receiver that hangs must not delay the others. */
const perEndpoint = 4;
/** All receivers of one account together must not delay those of others, either. */
const perOwner = 8;
/** Places reserved for owners without a delivery in progress. */
const keptPlaces = 8;

const owner = sql`coalesce(k.owner_id, -k.id)`;

/**
 * Whether the application `k` receives an event of a user: while the user is signed in to it, and its permissions
 * allow.
 */
const isHeard = (event: Sql, userId: Sql, now: Date): Sql => sql`
  ((${event} <> 'subscription.changed' OR k.subscription IS NOT NULL)
    AND (${userId} IS NULL OR EXISTS (SELECT FROM user_session s
      WHERE s.user_id = ${userId} AND s.developer_key_id = k.id AND s.expires_at > ${now})))`;

/** Whether endpoint, developer key and owner are all active. */
const isInUse = sql`(e.disabled_at IS NULL AND k.revoked_at IS NULL AND NOT ${isDisabled(sql`k.owner_id`)})`;

export const webhookDeliveryRepo = (db: ReadDb) => ({
  /** Deliveries of an endpoint, newest first. */
  list: (endpointId: number, limit: number): Promise<WebhookDelivery[]> =>
    db.any<WebhookDelivery>(
      sql`SELECT ${columns} FROM webhook_delivery WHERE endpoint_id = ${endpointId} ORDER BY id DESC LIMIT ${limit}`,
    ),

  byId: (id: number): Promise<WebhookDelivery | null> =>
    db.maybe<WebhookDelivery>(sql`SELECT ${columns} FROM webhook_delivery WHERE id = ${id}`),
});

export const webhookDeliveryWrites = (tx: Tx) => ({
  /**
   * Adds a delivery for every active endpoint that subscribes to the event, of the applications in which the user is
   * signed in; returns their number.
   */
  publish: ({ event, body, userId, createdAt, nextAt }: PublishedEvent): Promise<number> =>
    tx.run(sql`
      INSERT INTO webhook_delivery (endpoint_id, event, body, user_id, created_at, next_at)
      SELECT e.id, ${event}, ${body}, ${userId}, ${createdAt}, ${nextAt}
      FROM webhook_endpoint e JOIN developer_key k ON k.id = e.developer_key_id
      WHERE e.disabled_at IS NULL AND k.revoked_at IS NULL AND ${event} = ANY (e.events)
        AND ${isHeard(sql`${event}::text`, sql`${userId}::int`, createdAt)}`),

  /** One message to one endpoint. */
  insert: (endpointId: number, event: string, body: string, now: Date): Promise<number> =>
    insertId(tx, 'webhook_delivery', { endpointId, event, body, createdAt: now, nextAt: now }),

  /** Abandons due deliveries that may no longer be sent. */
  endUnheard: (now: Date): Promise<number> =>
    tx.run(sql`
      UPDATE webhook_delivery d SET next_at = NULL, last_error = 'the user is no longer signed in, or the permission has ended'
      FROM webhook_endpoint e JOIN developer_key k ON k.id = e.developer_key_id
      WHERE d.endpoint_id = e.id AND d.next_at <= ${now} AND ${isInUse} AND NOT ${isHeard(sql`d.event`, sql`d.user_id`, now)}`),

  /**
   * Leases due deliveries, a few per endpoint and owner, round-robin by owner; no other process gets them until the lease ends.
   * `underWay` names the owner of each delivery in progress, `limit` is the number of free places.
   */
  claim: (
    now: Date,
    { leaseUntil, limit, underWay }: { leaseUntil: Date; limit: number; underWay: readonly number[] },
  ): Promise<DueDelivery[]> =>
    tx.any<DueDelivery>(sql`
      WITH due AS MATERIALIZED (
        SELECT d.id, d.next_at, row_number() OVER (PARTITION BY ${owner} ORDER BY d.next_at, d.id)
          + (SELECT count(*) FROM unnest(${[...underWay]}::int[]) sending WHERE sending = ${owner}) AS turn
        FROM webhook_endpoint e JOIN developer_key k ON k.id = e.developer_key_id CROSS JOIN LATERAL (
          SELECT id, next_at FROM webhook_delivery WHERE endpoint_id = e.id AND next_at <= ${now}
          ORDER BY next_at LIMIT ${perEndpoint}::int FOR NO KEY UPDATE SKIP LOCKED) d
        WHERE ${isInUse}),
      placed AS (SELECT id, turn, row_number() OVER (ORDER BY turn, next_at, id) AS place FROM due WHERE turn <= ${perOwner}::int)
      UPDATE webhook_delivery d SET next_at = ${leaseUntil}
      FROM webhook_endpoint e JOIN developer_key k ON k.id = e.developer_key_id
      WHERE d.id = ANY (ARRAY(SELECT id FROM placed WHERE place <= ${limit}::int - CASE turn WHEN 1 THEN 0 ELSE ${keptPlaces}::int END))
        AND e.id = d.endpoint_id
      RETURNING d.id, d.endpoint_id, d.message_id, d.body, d.attempts, e.url, e.secret_sealed,
        CASE WHEN e.previous_until > ${now} THEN e.previous_sealed END AS previous_sealed,
        ${owner} AS owner`),

  noteAttempt: (id: number, { at, status, error, nextAt }: Attempt): Promise<number> =>
    tx.run(sql`
      UPDATE webhook_delivery SET attempts = attempts + 1, last_attempt_at = ${at}, last_status = ${status},
        last_error = ${error}, next_at = ${nextAt}, delivered_at = CASE WHEN ${error}::text IS NULL THEN ${at}::timestamptz END
      WHERE id = ${id}`),

  /** Makes a delivery due again with the same message id, counting its attempts from the start. */
  replay: (id: number, now: Date): Promise<number> =>
    tx.run(
      sql`UPDATE webhook_delivery SET next_at = ${now}, attempts = 0, delivered_at = NULL WHERE id = ${id}`,
    ),
});
