/** What a comparison with a gateway says about a subscription, in the words of its messages. */
import type { LiveSubscription } from './gateway.ts';
import { isReturned } from './notice.ts';
import type { GatewayNotice, NoticePayment } from './notice.ts';

/** Payments of the gateway that are not known, or were given back without a word, oldest first. */
export const missedPayments = (
  live: readonly NoticePayment[],
  known: ReadonlyMap<string, NoticePayment['status']>,
): NoticePayment[] =>
  live
    .filter(({ transactionId, status }) => {
      const stored = known.get(transactionId);
      if (stored === undefined || stored === 'PENDING' || stored === 'FAILED')
        return status === 'COMPLETED' || isReturned({ status });
      return stored === 'COMPLETED' && isReturned({ status });
    })
    .toSorted((a, b) => a.paidAt.getTime() - b.paidAt.getTime());

/** Transactions that a gateway need not be asked for again, of payments as they are stored. */
export const knownPayments = (
  stored: Iterable<readonly [transactionId: string, status: NoticePayment['status']]>,
): Set<string> => new Set([...stored].filter(([, status]) => status !== 'PENDING').map(([number]) => number));

/** Money that was given back without a word: as new as its discovery, since nothing says when it was done. */
export const returnNotice = (reference: string, payment: NoticePayment, now: Date): GatewayNotice => ({
  reference,
  occurredAt: now,
  what: `Payment ${payment.transactionId}: ${payment.status}, found by the comparison.`,
  set: { isLapsed: true, endsAt: now },
  payments: [payment],
});

/** A payment whose message never came, at a gateway that names no end of what is paid. */
export const paymentNotice = (reference: string, payment: NoticePayment): GatewayNotice => {
  const { transactionId, amountMinor, currency, paidAt } = payment;
  return {
    reference,
    occurredAt: paidAt,
    what: `Payment ${transactionId}, found by the comparison.`,
    set: { intent: 'Running', isLapsed: false },
    payments: [payment],
    statusAt: paidAt,
    coversFrom: paidAt,
    covers: { minor: amountMinor, currency },
  };
};

/** The state of one subscription at a gateway that has no list of changes. Its paid end follows from its payments. */
export const stateNotice = (
  reference: string,
  { status, autoRenew, nextBillingAt }: LiveSubscription,
  now: Date,
): GatewayNotice => ({
  reference,
  occurredAt: now,
  what: 'The state at the gateway.',
  set: {
    ...(status === 'Expired' ? {} : { intent: status }),
    // The card gateway retries a card after the end.
    autoRenew: status !== 'Cancelled' && (autoRenew ?? status !== 'Expired'),
    nextBillingAt,
  },
  payments: [],
});
