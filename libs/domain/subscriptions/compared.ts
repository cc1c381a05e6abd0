/** Turns the result of a comparison with a gateway into notices. */
import { isReturned } from './notice.ts';
import type { GatewayNotice, NoticePayment } from './notice.ts';

/** Payments at the gateway that are unknown here or were refunded without a message, oldest first. */
const missedPayments = (
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
const returnNotice = (reference: string, payment: NoticePayment, now: Date): GatewayNotice => ({
  reference,
  occurredAt: now,
  what: `Payment ${payment.transactionId}: ${payment.status}, found by the comparison.`,
  set: { isLapsed: true, endsAt: now },
  payments: [payment],
});

/** A payment found without a message, at a gateway that reports no paid end. */
const paymentNotice = (reference: string, payment: NoticePayment): GatewayNotice => {
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

interface Compared {
  reference: string;
  /** Null: the gateway does not know the subscription. */
  live: GatewayNotice | null;
  payments: readonly NoticePayment[];
}

/** What the gateway holds and no message has reported, oldest first. */
export const comparedNotices = (
  { reference, live, payments }: Compared,
  known: ReadonlyMap<string, NoticePayment['status']>,
  now: Date,
): GatewayNotice[] => {
  const missed = missedPayments(payments, known);
  const paid = missed.filter((payment) => !isReturned(payment));
  const returned = missed.filter((payment) => isReturned(payment));
  return [
    // A paid end reported by the gateway takes precedence over the one computed from payments.
    ...(live?.set.endsAt
      ? [{ ...live, payments: paid }]
      : [...paid.map((payment) => paymentNotice(reference, payment)), ...(live ? [live] : [])]),
    ...returned.map((payment) => returnNotice(reference, payment, now)),
  ];
};
