/** Turns the result of a comparison with a gateway into notices. */
import type { LiveSubscription } from './gateway.ts';
import { isReturned } from './notice.ts';
import type { GatewayNotice, NoticePayment } from './notice.ts';

/** Payments at the gateway that are unknown here or were refunded without a message, oldest first. */
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

/** Stored transactions that need not be read from the gateway again. */
export const knownPayments = (
  stored: Iterable<readonly [transactionId: string, status: NoticePayment['status']]>,
): Set<string> => new Set([...stored].filter(([, status]) => status !== 'PENDING').map(([number]) => number));

/** A refund found without a message, dated at its discovery, since its time is unknown. */
export const returnNotice = (reference: string, payment: NoticePayment, now: Date): GatewayNotice => ({
  reference,
  occurredAt: now,
  what: `Payment ${payment.transactionId}: ${payment.status}, found by the comparison.`,
  set: { isLapsed: true, endsAt: now },
  payments: [payment],
});

/** A payment found without a message, at a gateway that reports no paid end. */
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

/** The state of a subscription at a gateway without a list of changes. The paid end follows from its payments. */
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
