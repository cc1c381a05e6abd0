import type { GatewayStatus } from '#domain/subscriptions/entitlement.ts';
import { accountsWith } from '../users/users.ts';
import { contains, insertId, sql } from '../sql.ts';
import type { ReadDb, Sql, Tx } from '../sql.ts';

interface NewSubscription {
  userId: number;
  productCode: string;
  /** Code of a gateway, or null for a grant by the operator. */
  gateway: string | null;
  reference: string | null;
  startsAt: Date;
  endsAt: Date;
}

export interface ListedSubscription extends Omit<NewSubscription, 'userId'> {
  id: number;
  email: string;
  gatewayStatus: GatewayStatus;
  autoRenew: boolean;
}

const listed = sql`
  SELECT s.id, u.email, s.product_code, s.gateway, s.reference, s.gateway_status, s.auto_renew, s.starts_at,
    s.ends_at
  FROM subscription s JOIN app_user u ON u.id = s.user_id`;

/** Ids of those that are found by their account, product or reference, each by an index; of a product the newest. */
const found = (search: string, limit: number): Sql => sql`
  ARRAY(
    SELECT id FROM subscription WHERE user_id = ANY (${accountsWith(search)})
    UNION SELECT id FROM subscription WHERE ${contains(sql`lower(reference)`, search)}
    UNION SELECT newest.id FROM product p, LATERAL (
      SELECT id FROM subscription WHERE product_code = p.code ORDER BY id DESC LIMIT ${limit}) newest
    WHERE ${contains(sql`lower(p.code)`, search)})`;

export const subscriptionRepo = (db: ReadDb) => ({
  byId: (id: number): Promise<ListedSubscription | null> =>
    db.maybe<ListedSubscription>(sql`${listed} WHERE s.id = ${id}`),

  /** Latest end first. */
  ofUser: (userId: number): Promise<ListedSubscription[]> =>
    db.any<ListedSubscription>(sql`${listed} WHERE s.user_id = ${userId} ORDER BY s.ends_at DESC, s.id DESC`),

  /** Newest first; those whose account, product or reference contains the text. */
  list: (limit: number, offset = 0, search = ''): Promise<ListedSubscription[]> =>
    db.any<ListedSubscription>(sql`${listed}
      ${search === '' ? sql`` : sql`WHERE s.id = ANY (${found(search, limit + offset)})`}
      ORDER BY s.id DESC LIMIT ${limit} OFFSET ${offset}`),
});

export const subscriptionWrites = (tx: Tx) => ({
  /** The new id. Throws SUBSCRIPTION_EXISTS for a gateway reference that already exists. */
  create: (subscription: NewSubscription): Promise<number> => insertId(tx, 'subscription', subscription),
});
