import type { IntentState } from '#domain/subscriptions/migration.ts';
import { insertOf, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

interface MigrationIntent {
  id: string;
  userId: number;
  subscriptionId: number;
  targetCode: string;
  state: IntentState;
  checkoutUrl: string;
  remainingDays: number;
  bonusDays: number;
  createdAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
  newSubscriptionId: number | null;
}

/** A pending intent past its expiry counts as expired, whether or not a sweep has stored that. */
const columnsAt = (now: Date) => sql`id, user_id, subscription_id, target_code,
  CASE WHEN state = 'PENDING' AND expires_at <= ${now} THEN 'EXPIRED' ELSE state END AS state,
  checkout_url, remaining_days, bonus_days, created_at, expires_at, ended_at, new_subscription_id`;

export const migrationIntentRepo = (db: ReadDb) => ({
  byId: (id: string, now: Date): Promise<MigrationIntent | null> =>
    db.maybe<MigrationIntent>(sql`SELECT ${columnsAt(now)} FROM migration_intent WHERE id::text = ${id}`),

  /** The newest of the user. */
  latest: (userId: number, now: Date): Promise<MigrationIntent | null> =>
    db.maybe<MigrationIntent>(sql`SELECT ${columnsAt(now)} FROM migration_intent
      WHERE user_id = ${userId} ORDER BY created_at DESC, id LIMIT 1`),
});

export const migrationIntentWrites = (tx: Tx) => ({
  expire: (userId: number, now: Date): Promise<number> =>
    tx.run(sql`UPDATE migration_intent SET state = 'EXPIRED', ended_at = expires_at
      WHERE user_id = ${userId} AND state = 'PENDING' AND expires_at <= ${now}`),

  /** Throws MIGRATION_PENDING when the user has one. */
  add: (intent: Omit<MigrationIntent, 'state' | 'endedAt' | 'newSubscriptionId'>): Promise<number> =>
    tx.run(insertOf('migration_intent', intent)),

  /** Locked. A purchase completes an intent even if it has expired or was dropped: it was paid. */
  lock: (id: string, now: Date): Promise<MigrationIntent | null> =>
    tx.maybe<MigrationIntent>(
      sql`SELECT ${columnsAt(now)} FROM migration_intent WHERE id::text = ${id} FOR UPDATE`,
    ),

  /**
   * The first purchase that took over the days of this subscription; call it with the subscription locked.
   */
  movedTo: (subscriptionId: number): Promise<{ id: number | null; days: number } | null> =>
    tx.maybe<{ id: number | null; days: number }>(sql`
      SELECT new_subscription_id AS id, remaining_days AS days FROM migration_intent
      WHERE subscription_id = ${subscriptionId} AND state = 'COMPLETED' ORDER BY ended_at LIMIT 1`),

  /** Skips one whose purchase is being applied: it is locked, and waits for the subscription. */
  dropPending: (subscriptionId: number, now: Date): Promise<number> =>
    tx.run(sql`UPDATE migration_intent SET state = 'CANCELLED', ended_at = ${now}
      WHERE id IN (SELECT id FROM migration_intent
        WHERE subscription_id = ${subscriptionId} AND state = 'PENDING' AND expires_at > ${now}
        FOR UPDATE SKIP LOCKED)`),

  end: (id: string, state: IntentState, newSubscriptionId: number | null, now: Date): Promise<number> =>
    tx.run(sql`UPDATE migration_intent SET state = ${state}, new_subscription_id = ${newSubscriptionId},
      ended_at = ${now} WHERE id::text = ${id}`),
});
