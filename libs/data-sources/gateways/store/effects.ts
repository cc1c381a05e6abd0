/** Effects of verified notifications from the store. */
import type { GatewayNotice, NoticePayment, NoticeSet } from '#domain/subscriptions/notice.ts';
import { toMinor } from '#domain/subscriptions/money.ts';
import type { StoreRenewal, StoreTransaction } from './signed-data.ts';

/** State of one subscription at the store. */
export interface StoreState {
  transaction: StoreTransaction;
  renewal: StoreRenewal | null;
  /** 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked. */
  status: number | null;
  signedAt: Date;
}

type Effect = 'active' | 'renewalOnly' | 'unpaid' | 'ended' | 'refunded' | 'none';

/** Other types are stored and acknowledged without effect. */
const effects: Readonly<Record<string, Effect>> = {
  SUBSCRIBED: 'active',
  DID_RENEW: 'active',
  OFFER_REDEEMED: 'active',
  REFUND_REVERSED: 'active',
  RENEWAL_EXTENDED: 'active',
  'DID_CHANGE_RENEWAL_PREF UPGRADE': 'active',
  DID_CHANGE_RENEWAL_PREF: 'renewalOnly',
  DID_CHANGE_RENEWAL_STATUS: 'renewalOnly',
  DID_FAIL_TO_RENEW: 'unpaid',
  GRACE_PERIOD_EXPIRED: 'ended',
  EXPIRED: 'ended',
  REFUND: 'refunded',
  REVOKE: 'refunded',
};

const dateOf = (ms: number | undefined): Date | undefined => (ms === undefined ? undefined : new Date(ms));

/** Converts prices from thousandths. */
const minorOf = (price: number | undefined, currency: string | undefined): number | null =>
  price === undefined || currency === undefined ? null : toMinor((price / 1_000).toFixed(3), currency);

/** End of access: the paid end, or the end of a later grace period. */
const endOf = ({ transaction, renewal }: StoreState, hasGrace: boolean): Date | undefined => {
  const paid = dateOf(transaction.expiresDate);
  const grace = hasGrace ? dateOf(renewal?.gracePeriodExpiresDate) : undefined;
  return grace && (!paid || grace > paid) ? grace : paid;
};

const renewalFields = ({ transaction, renewal }: StoreState): NoticeSet => {
  if (renewal?.autoRenewStatus === undefined) return {};
  const autoRenew = renewal.autoRenewStatus === 1;
  return {
    autoRenew,
    nextBillingAt: autoRenew ? (dateOf(renewal.renewalDate ?? transaction.expiresDate) ?? null) : null,
  };
};

const activeFields = (state: StoreState): NoticeSet => {
  const { transaction, status } = state;
  return {
    intent: 'Running',
    isLapsed: false,
    productCode: transaction.productId,
    startsAt: dateOf(transaction.purchaseDate),
    endsAt: endOf(state, status === 4),
    currency: transaction.currency,
    ...renewalFields(state),
  };
};

/** True if an earlier period was refunded while a later one is paid. */
const isEarlierPeriod = ({ transaction, status, signedAt }: StoreState): boolean =>
  (status === 1 || status === 4) && (transaction.expiresDate ?? Infinity) <= signedAt.getTime();

const fieldsOf = (state: StoreState, effect: Effect): NoticeSet => {
  const { transaction, signedAt, status } = state;
  if (effect === 'active') return activeFields(state);
  if (effect === 'renewalOnly') return renewalFields(state);
  if (effect === 'unpaid')
    return { isLapsed: false, endsAt: endOf(state, status !== 3), ...renewalFields(state) };
  if (effect === 'ended') return { isLapsed: true, endsAt: endOf(state, false), ...renewalFields(state) };
  if (effect === 'refunded' && !isEarlierPeriod(state))
    return {
      isLapsed: true,
      endsAt: dateOf(transaction.revocationDate) ?? signedAt,
      ...renewalFields(state),
    };
  return {};
};

/** Free periods and purchases by family members are not payments. */
const paymentsOf = ({ transaction, signedAt }: StoreState, type: string): NoticePayment[] => {
  const { transactionId, currency, price, purchaseDate, inAppOwnershipType: ownership } = transaction;
  const { revocationDate: revokedMs } = transaction;
  const amountMinor = minorOf(price, currency);
  if (!transactionId || !currency || !amountMinor || ownership === 'FAMILY_SHARED') return [];
  const common = { transactionId, currency, method: 'store' };
  const isBack = type === 'REFUND';
  const own: NoticePayment = {
    ...common,
    kind: 'payment',
    // Later notifications on a refunded transaction do not report a payment.
    status: isBack || revokedMs !== undefined ? 'REFUNDED' : 'COMPLETED',
    amountMinor,
    paidAt: dateOf(purchaseDate) ?? signedAt,
  };
  if (!isBack && type !== 'REFUND_REVERSED') return [own];
  const paidAt = dateOf(transaction.revocationDate) ?? signedAt;
  const status = isBack ? 'COMPLETED' : 'REVERSED';
  return [own, { ...common, kind: 'refund', status, amountMinor: -amountMinor, paidAt }];
};

const noticeOf = (state: StoreState, type: string, what: string, set: NoticeSet): GatewayNotice[] => {
  const { originalTransactionId: reference, appAccountToken: token } = state.transaction;
  if (!reference) return [];
  return [
    {
      reference,
      occurredAt: state.signedAt,
      what,
      owner: token === undefined ? null : { storeAccountToken: token },
      set,
      ...(set.intent === 'Running' ? { initial: { autoRenew: true } } : {}),
      ...(set.intent === 'Running' && set.endsAt ? { coversFrom: set.startsAt ?? state.signedAt } : {}),
      payments: paymentsOf(state, type),
      isRenewalFailed: effects[type] === 'unpaid',
    },
  ];
};

/** Empty when the notification changes nothing. */
export const notificationNotices = (
  state: StoreState,
  type: string,
  subtype: string | undefined,
): GatewayNotice[] => {
  const effect = effects[`${type} ${subtype ?? ''}`.trim()] ?? effects[type] ?? 'none';
  if (effect === 'none') return [];
  const what = `Notification: ${[type, subtype].filter(Boolean).join(' ')}.`;
  return noticeOf(state, type, what, fieldsOf(state, effect));
};

/** The full state in the store's answer to a query. */
export const stateNotices = (state: StoreState): GatewayNotice[] => {
  const { transaction, status } = state;
  const isBack = transaction.revocationDate !== undefined;
  const fields = activeFields(state);
  const ended = isBack ? fieldsOf(state, 'refunded') : status === 2 ? fieldsOf(state, 'ended') : {};
  return noticeOf(state, isBack ? 'REFUND' : 'STATE', 'The state at the store.', { ...fields, ...ended });
};
