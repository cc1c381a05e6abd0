/**
 * What a provider's message says, in the words of the domain. Every field of a subscription has the clock of the
 * notice that set it, and the newest wins: in whichever order messages arrive, and however often, the end is the same.
 */
import type { GatewayStatus } from './entitlement.ts';

/** Fields of a subscription that a provider's message can set. */
export interface NoticeFields {
  gatewayStatus: GatewayStatus;
  productCode: string;
  startsAt: Date;
  endsAt: Date;
  autoRenew: boolean;
  /** `YYYY-MM-DD` */
  pauseUntil: string | null;
  pauseReason: string | null;
  cancelReason: string | null;
  pricePaidMinor: number;
  currency: string | null;
  nextBillingAt: Date | null;
  nextBillingMinor: number | null;
  lastPaymentAt: Date | null;
  subscriberEmail: string | null;
  subscriberName: string | null;
  cardLast4: string | null;
  promoCode: string | null;
  discountPercent: number | null;
  discountRecurring: boolean | null;
  discountMaxCycles: number | null;
}

export interface NoticePayment {
  transactionId: string;
  kind: 'payment' | 'refund';
  status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'REFUNDED' | 'REVERSED';
  /** Positive for a payment, negative for a refund. */
  amountMinor: number;
  currency: string;
  method: string | null;
  paidAt: Date;
}

/** How the provider names the account. */
export type NoticeOwner = { userId: number } | { storeAccountToken: string };

export interface GatewayNotice {
  /** The provider's name of the subscription. */
  reference: string;
  /** The provider's own clock. */
  occurredAt: Date;
  /** One sentence for the history. */
  what: string;
  /** Creates the subscription if there is none: needs `owner`, and `productCode`, `startsAt` and `endsAt` in `set`. */
  owner: NoticeOwner | null;
  set: Partial<NoticeFields>;
  /** The provider still calls a subscription running whose pause begins at the end of the paid period. */
  keepsPause?: boolean;
  payment: NoticePayment | null;
  /** Id of the migration intent that this purchase completes. */
  intentId: string | null;
}

export type Clocks = Readonly<Record<string, string>>;

/** Sorts by time, then by event, so that two events of one second have an order, too. */
export const clockOf = (at: Date, eventId: string): string => `${at.toISOString()} ${eventId}`;

/** The fields of the notice that nothing newer has set, and the clocks afterwards. */
export const newerFields = (
  clocks: Clocks,
  set: Partial<NoticeFields>,
  clock: string,
): { set: Partial<NoticeFields>; clocks: Clocks } => {
  const names = Object.entries(set)
    .filter(([name, value]) => value !== undefined && clock > (clocks[name] ?? ''))
    .map(([name]) => name);
  return {
    set: Object.fromEntries(Object.entries(set).filter(([name]) => names.includes(name))),
    clocks: { ...clocks, ...Object.fromEntries(names.map((name) => [name, clock])) },
  };
};
