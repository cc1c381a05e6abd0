import type { GatewayStatus } from '#domain/subscriptions/entitlement.ts';
import { insertOf, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

export type HistorySource = 'user' | 'operator' | 'gateway' | 'sync' | 'reconciliation';

export interface HistoryEntry {
  at: Date;
  source: HistorySource;
  /** One sentence. */
  what: string;
  statusBefore: GatewayStatus | null;
  statusAfter: GatewayStatus | null;
  endsBefore: Date | null;
  endsAfter: Date | null;
}

export const subscriptionHistoryRepo = (db: ReadDb) => ({
  /** Oldest first. */
  of: (subscriptionId: number): Promise<HistoryEntry[]> =>
    db.any<HistoryEntry>(sql`SELECT at, source, what, status_before, status_after, ends_before,
        ends_after
      FROM subscription_history WHERE subscription_id = ${subscriptionId} ORDER BY id`),
});

interface Dated {
  gatewayStatus: GatewayStatus;
  endsAt: Date;
}

export const subscriptionHistoryWrites = (tx: Tx) => ({
  /** `before` and `after` are null where the entry changes nothing. */
  add: (
    subscriptionId: number,
    entry: Pick<HistoryEntry, 'at' | 'source' | 'what'>,
    before: Dated | null = null,
    after: Dated | null = null,
  ): Promise<number> =>
    tx.run(
      insertOf('subscription_history', {
        subscriptionId,
        ...entry,
        statusBefore: before?.gatewayStatus,
        statusAfter: after?.gatewayStatus,
        endsBefore: before?.endsAt,
        endsAfter: after?.endsAt,
      }),
    ),
});
