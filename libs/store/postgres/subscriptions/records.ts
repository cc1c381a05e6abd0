import type { Agreement, SoldProduct, SubscriptionRecord } from '#domain/subscriptions/record.ts';
import { excludedOf, insertOf, sql, contains, insertId } from '../sql.ts';
import type { ReadDb, Tx, Sql } from '../sql.ts';
import { entitledFields } from './products.ts';
import { accountsWith } from '../users/users.ts';

type Row = Omit<SubscriptionRecord, 'product' | 'agreement'> & {
  product: SoldProduct;
  agreement: Omit<Agreement, 'endsAt'> & { endsAt: string | null };
};

const toRecord = ({ agreement: held, ...row }: Row): SubscriptionRecord => ({
  ...row,
  agreement: { ...held, endsAt: held.endsAt === null ? null : new Date(held.endsAt) },
});
const orNull = (row: Row | null): SubscriptionRecord | null => row && toRecord(row);

const storeToken = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The product of a subscription `s` as `p`. */
const product = sql`jsonb_build_object(${entitledFields}, 'groupPackage', p.group_package, 'rank', p.rank,
  'frequency', p.frequency, 'durationDays', p.duration_days, 'priceMinor', p.price_minor, 'currency', p.currency,
  'otherPrices', p.other_prices, 'migrationBonusDays', p.migration_bonus_days, 'isActive', p.is_active)`;

/** Without a row, the displayed state is assumed. */
const agreement = sql`coalesce(
  (SELECT jsonb_build_object('intent', a.intent, 'isLapsed', a.is_lapsed, 'autoRenew', a.auto_renew,
    'pauseUntil', a.pause_until, 'pauseReason', a.pause_reason, 'productCode', a.product_code, 'endsAt', a.ends_at,
    'isEndDay', a.is_end_day, 'clocks', a.clocks)
    FROM agreement a WHERE a.subscription_id = s.id),
  jsonb_build_object('intent', CASE s.gateway_status WHEN 'Expired' THEN 'Running' ELSE s.gateway_status END,
    'isLapsed', s.gateway_status = 'Expired', 'autoRenew', s.auto_renew, 'pauseUntil', s.pause_until,
    'pauseReason', s.pause_reason, 'productCode', NULL, 'endsAt', NULL, 'isEndDay', false, 'clocks', '{}'::jsonb))`;

const record = sql`
  SELECT s.id, s.user_id, s.gateway, s.reference, s.gateway_status, s.auto_renew,
    to_char(s.pause_until, 'YYYY-MM-DD') AS pause_until, s.pause_reason,
    s.cancel_reason, s.price_paid_minor, s.currency, s.next_billing_at, s.last_payment_at, s.cycles_completed,
    s.subscriber_email, s.subscriber_name, s.card_last4, s.promo_code, s.discount_percent, s.discount_recurring,
    s.discount_max_cycles, s.starts_at, s.ends_at, s.had_access,
    EXISTS (SELECT 1 FROM product h WHERE h.is_active AND h.rank > p.rank) AS has_higher_plan, ${agreement} AS agreement,
    coalesce((SELECT jsonb_agg(jsonb_build_object('id', o.id, 'verb', o.verb, 'parameters', o.parameters,
        'createdAt', o.created_at) ORDER BY o.id)
      FROM gateway_order o WHERE o.subscription_id = s.id AND o.state = 'pending'), '[]') AS orders, ${product} AS product,
    u.email AS account_email, u.disabled_at IS NOT NULL AS is_account_disabled, u.firstname || ' ' || u.lastname AS account_name
  FROM subscription s JOIN product p ON p.code = s.product_code JOIN app_user u ON u.id = s.user_id`;

/** Ids of those that are found by their account, product or reference, each by an index; of a product the newest. */
const found = (search: string, limit: number): Sql => sql`
  ARRAY(
    SELECT id FROM subscription WHERE user_id = ANY (${accountsWith(search)})
    UNION SELECT id FROM subscription WHERE ${contains(sql`lower(reference)`, search)}
    UNION SELECT newest.id FROM product p, LATERAL (
      SELECT id FROM subscription WHERE product_code = p.code ORDER BY id DESC LIMIT ${limit}) newest
    WHERE ${contains(sql`lower(p.code)`, search)})`;

export const subscriptionRecordRepo = (db: ReadDb) => ({
  byId: async (id: number): Promise<SubscriptionRecord | null> =>
    orNull(await db.maybe<Row>(sql`${record} WHERE s.id = ${id}`)),

  byReference: async (gateway: string, reference: string): Promise<SubscriptionRecord | null> =>
    orNull(await db.maybe<Row>(sql`${record} WHERE s.gateway = ${gateway} AND s.reference = ${reference}`)),

  /**
   * Subscriptions whose status changed by passage of time since their users were notified. A renewal is reported up to a day after its end; the index
   * finds what has ended.
   */
  changedByTime: (now: Date, limit: number): Promise<number[]> =>
    db.values<number>(sql`SELECT id FROM subscription s
        WHERE (had_access AND ends_at <= ${now} AND ends_at <= ${now}::timestamptz
            - CASE WHEN auto_renew AND gateway_status = 'Running' THEN interval '1 day' ELSE interval '0' END)
          OR (NOT had_access AND starts_at <= ${now} AND ends_at > ${now} AND gateway_status <> 'Expired')
          OR (gateway_status = 'paused' AND pause_until <= (${now}::timestamptz AT TIME ZONE 'UTC')::date
            AND NOT EXISTS (SELECT 1 FROM gateway_order o
              WHERE o.subscription_id = s.id AND o.verb = 'resume' AND o.created_at >= s.pause_until AT TIME ZONE 'UTC'))
        ORDER BY id LIMIT ${limit}`),

  /** Latest end first. */
  ofUser: async (userId: number): Promise<SubscriptionRecord[]> =>
    (await db.any<Row>(sql`${record} WHERE s.user_id = ${userId} ORDER BY s.ends_at DESC, s.id DESC`)).map(
      toRecord,
    ),

  /** Newest first; those whose account, product or reference contains the text. */
  list: async (limit: number, offset = 0, search = ''): Promise<SubscriptionRecord[]> =>
    (
      await db.any<Row>(sql`${record}
        ${search === '' ? sql`` : sql`WHERE s.id = ANY (${found(search, limit + offset)})`}
        ORDER BY s.id DESC LIMIT ${limit} OFFSET ${offset}`)
    ).map(toRecord),
});

export const subscriptionRecordWrites = (tx: Tx) => ({
  /**
   * The subscription, locked until the transaction ends. Read by a statement after the one that waits for the lock,
   * which would return agreement and orders from before its wait.
   */
  lock: async (id: number): Promise<SubscriptionRecord | null> => {
    await tx.run(sql`SELECT FROM subscription WHERE id = ${id} FOR UPDATE`);
    return subscriptionRecordRepo(tx).byId(id);
  },

  /** The subscription with this reference, locked; while there is none only this transaction can create it. */
  lockReference: async (gateway: string, reference: string): Promise<SubscriptionRecord | null> => {
    const row = sql`SELECT FROM subscription WHERE gateway = ${gateway} AND reference = ${reference} FOR UPDATE`;
    if ((await tx.run(row)) === 0) {
      const name = `gateway:${gateway}:${reference}`;
      await tx.run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}::text, 0))`);
      // Another transaction may have created it meanwhile.
      await tx.run(row);
    }
    return subscriptionRecordRepo(tx).byReference(gateway, reference);
  },

  /** Names this transaction, and no other. */
  changeId: (): Promise<string> => tx.value<string>(sql`SELECT pg_current_xact_id()::text AS id`),

  /** Stores every field that a notice or a change can set; `productCode` belongs to `product`. */
  save: ({ agreement: held, ...s }: SubscriptionRecord): Promise<number> =>
    tx.run(sql`
      WITH held AS (
        ${insertOf('agreement', { subscriptionId: s.id, ...held })}
        ON CONFLICT (subscription_id) DO UPDATE SET ${excludedOf(held)})
      UPDATE subscription SET product_code = ${s.product.code}, gateway_status = ${s.gatewayStatus},
        auto_renew = ${s.autoRenew}, pause_until = ${s.pauseUntil}, pause_reason = ${s.pauseReason},
        cancel_reason = ${s.cancelReason}, price_paid_minor = ${s.pricePaidMinor}, currency = ${s.currency},
        next_billing_at = ${s.nextBillingAt},
        last_payment_at = ${s.lastPaymentAt}, subscriber_email = ${s.subscriberEmail},
        subscriber_name = ${s.subscriberName}, card_last4 = ${s.cardLast4}, promo_code = ${s.promoCode},
        discount_percent = ${s.discountPercent}, discount_recurring = ${s.discountRecurring},
        discount_max_cycles = ${s.discountMaxCycles}, starts_at = ${s.startsAt}, ends_at = ${s.endsAt},
        had_access = ${s.hadAccess},
        cycles_completed = (SELECT count(*) FROM payment WHERE subscription_id = ${s.id} AND kind = 'payment'
          AND status IN ('COMPLETED', 'REFUNDED'))
      WHERE id = ${s.id}`),

  /** The id of the account; null when there is none. */
  accountOfStoreToken: async (token: string): Promise<number | null> => {
    if (!storeToken.test(token)) return null;
    return tx.valueOrNull<number>(sql`SELECT id FROM app_user WHERE store_account_token = ${token}::uuid`);
  },

  hasAccount: (userId: number): Promise<boolean> =>
    tx.exists(sql`SELECT 1 AS found FROM app_user WHERE id = ${userId}`),
});

interface NewSubscription {
  userId: number;
  productCode: string;
  /** Code of a gateway, or null for a grant by the operator. */
  gateway: string | null;
  reference: string | null;
  startsAt: Date;
  endsAt: Date;
}

export const subscriptionWrites = (tx: Tx) => ({
  /** The new id. Throws SUBSCRIPTION_EXISTS for a gateway reference that already exists. */
  create: (subscription: NewSubscription): Promise<number> => insertId(tx, 'subscription', subscription),
});
