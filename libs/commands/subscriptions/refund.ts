/**
 * Refunds by administrators: the amount is reserved before the gateway is called, and takes effect with its message.
 */
import type { Deps } from '#commands/deps.ts';
import { DomainError } from '#domain/errors.ts';
import type { NoticePayment } from '#domain/subscriptions/notice.ts';
import { amountText, exactMinor } from '#domain/subscriptions/money.ts';
import { addSeconds } from '#domain/time.ts';
import { auditWrites } from '#store/postgres/audit/audit.ts';
import { subscriptionHistoryWrites, paymentRepo } from '#store/postgres/subscriptions/ledger.ts';
import type { HistorySource } from '#store/postgres/subscriptions/ledger.ts';
import { subscriptionRecordWrites } from '#store/postgres/subscriptions/records.ts';
import { refundRequestRepo, refundRequestWrites } from '#store/postgres/subscriptions/refund-requests.ts';
import type { RefundRequest, Returned } from '#store/postgres/subscriptions/refund-requests.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';

type ReservedRefund = Omit<RefundRequest, 'state' | 'refundId'>;

/**
 * Reserves part of the newest payment, or without `amount` all that is left. Concurrent refunds never exceed the
 * payment. Throws NOTHING_TO_REFUND, INVALID_FIELD, and CHANGED_MEANWHILE if a full refund was confirmed for another
 * amount or payment than is left now.
 */
export const reserveRefund = async (
  tx: Tx,
  { clock }: Deps<'clock'>,
  given: {
    subscriptionId: number;
    amount: string | undefined;
    shownAt: Date | null;
    reason: string;
    requestedBy: number;
  },
): Promise<ReservedRefund> => {
  const { subscriptionId, amount, shownAt, reason, requestedBy } = given;
  await subscriptionRecordWrites(tx).lock(subscriptionId);
  const payment = await paymentRepo(tx).latest(subscriptionId);
  if (!payment) throw new DomainError('NOTHING_TO_REFUND');
  const { transactionId, currency } = payment;
  const { requestedMinor, reportedMinor } = await refundRequestRepo(tx).returned(
    subscriptionId,
    transactionId,
  );
  const left = payment.amountMinor - Math.max(requestedMinor, reportedMinor);
  const amountMinor = amount === undefined ? left : exactMinor(amount, currency);
  if (amountMinor === null)
    throw new DomainError('INVALID_FIELD', { field: 'amount' }, `${amount} is not an amount in ${currency}.`);
  if (amountMinor <= 0 || amountMinor > left) throw new DomainError('NOTHING_TO_REFUND');
  if (
    amount === undefined &&
    shownAt &&
    (await refundRequestRepo(tx).hasChangedSince(subscriptionId, shownAt))
  )
    throw new DomainError('CHANGED_MEANWHILE');
  const request = { subscriptionId, transactionId, amountMinor, currency, reason, requestedBy };
  const requestedAt = clock.now();
  return {
    ...request,
    requestedAt,
    id: await refundRequestWrites(tx).add({ ...request, requestedAt }),
  };
};

const words = {
  accepted: 'refunded',
  refused: 'was refused a refund of',
  unknown: 'asked without an answer for a refund of',
} as const;

/** Records the gateway's answer, or what a comparison shows, in the history and audit of the subscription. */
export const endRefund = async (
  tx: Tx,
  { clock }: Deps<'clock'>,
  {
    request,
    state,
    refundId,
    source = 'user',
  }: {
    request: ReservedRefund;
    state: keyof typeof words;
    refundId: string | null;
    source?: Extract<HistorySource, 'user' | 'reconciliation'>;
  },
): Promise<void> => {
  const at = clock.now();
  const { subscriptionId, transactionId, amountMinor, currency, requestedBy } = request;
  const amount = `${amountText(amountMinor, currency)} ${currency}`;
  const what = `Administrator ${requestedBy} ${words[state]} ${amount} (${refundId ?? transactionId}): ${request.reason}`;
  await refundRequestWrites(tx).end(request.id, { state, refundId }, at);
  await subscriptionHistoryWrites(tx).add(subscriptionId, { at, source, what });
  await auditWrites(tx).add({
    at,
    who: `user:${requestedBy}`,
    requestId: null,
    action: 'subscription refund',
    kind: 'subscription',
    subject: String(subscriptionId),
    before: null,
    after: { refund: request.id, transaction_id: transactionId, amount, state, refund_id: refundId },
  });
};

/** Gateways show changes late, and a call may still be in progress. */
const settledAfterSeconds = 86_400;

/** Refunds whose outcome the gateway should show by now. */
export const unansweredRefunds = (
  db: ReadDb,
  { clock }: Deps<'clock'>,
  subscriptionId: number,
): Promise<RefundRequest[]> =>
  refundRequestRepo(db).unanswered(subscriptionId, addSeconds(clock.now(), -settledAfterSeconds));

/**
 * What the gateway shows about an unanswered refund; null: nothing. It shows full refunds; partial ones appear only in
 * messages.
 */
const shownOutcome = (
  { status }: Pick<NoticePayment, 'status'>,
  { amountMinor }: Pick<RefundRequest, 'amountMinor'>,
  { paidMinor, acceptedMinor, reportedMinor }: Returned,
): 'accepted' | 'refused' | null => {
  if (status === 'REFUNDED' || reportedMinor - acceptedMinor >= amountMinor) return 'accepted';
  const isWhole = reportedMinor + amountMinor >= paidMinor;
  return status === 'COMPLETED' && isWhole ? 'refused' : null;
};

/** Settles unanswered refunds whose outcome the payments read from the gateway show. */
export const settleRefunds = async (
  tx: Tx,
  deps: Deps<'clock'>,
  { subscriptionId, payments }: { subscriptionId: number; payments: readonly NoticePayment[] },
): Promise<void> => {
  await subscriptionRecordWrites(tx).lock(subscriptionId);
  for (const request of await unansweredRefunds(tx, deps, subscriptionId)) {
    const { transactionId } = request;
    const payment = payments.find((one) => one.transactionId === transactionId);
    if (!payment) continue;
    const returned = await refundRequestRepo(tx).returned(subscriptionId, transactionId);
    const state = shownOutcome(payment, request, returned);
    if (state) await endRefund(tx, deps, { request, state, refundId: null, source: 'reconciliation' });
  }
};
