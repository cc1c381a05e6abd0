/**
 * What a provider's message says, in the words of the domain. Every field of a subscription has the clock of the
 * notice that set it, and the newest wins: in whichever order messages arrive, and however often, the end is the same.
 */
import type { GatewayStatus } from './entitlement.ts';

/** The words of gateways but `Expired`. */
export type Intent = Exclude<GatewayStatus, 'Expired'>;

/** Fields of a subscription that a provider's message can set. */
export interface NoticeFields {
  /** What the customer wants; whether the subscription has run out is separate, so that neither hides the other. */
  intent: Intent;
  isLapsed: boolean;
  productCode: string;
  startsAt: Date;
  endsAt: Date;
  /** The end is that of a day: the provider named no time. */
  isEndDay: boolean;
  autoRenew: boolean;
  /** `YYYY-MM-DD` */
  pauseUntil: string | null;
  pauseReason: string | null;
  cancelReason: string | null;
  currency: string | null;
  nextBillingAt: Date | null;
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
  /** The payment that a refund gives back, where the refund has a separate id. */
  ofTransactionId?: string;
  /** Positive for a payment, negative for a refund. */
  amountMinor: number;
  currency: string;
  method: string | null;
  paidAt: Date;
}

/** True for money that was given back whole. */
export const isReturned = ({ status }: { status: NoticePayment['status'] | null }): boolean =>
  status === 'REFUNDED' || status === 'REVERSED';

/** How the provider names the account. */
export type NoticeOwner = { userId: number } | { storeAccountToken: string };

/** The account, in what a purchase carries along. */
export const ownerOf = (account: string | null): NoticeOwner | null =>
  /^[1-9]\d{0,9}$/.test(account ?? '') ? { userId: Number(account) } : null;

export interface GatewayNotice {
  /** The provider's name of the subscription. */
  reference: string;
  /** The provider's own clock. */
  occurredAt: Date;
  /** One sentence for the history. */
  what: string;
  /** Clock of the status (`ofStatus`), where it differs: a payment says what was true when it was made. */
  statusAt?: Date;
  /**
   * Creates the subscription if there is none: needs `owner`, `productCode` and `startsAt` in `set`, and `endsAt` there
   * or `coversFrom`.
   */
  owner?: NoticeOwner | null;
  set: Partial<NoticeFields>;
  /** Values until any notice or change sets these fields. */
  initial?: Partial<NoticeFields>;
  /** Without `endsAt`: the paid period of the product begins here. */
  coversFrom?: Date;
  /** What was paid, where the buyer's browser named the price: a product that costs more is not given for it. */
  covers?: { minor: number; currency: string };
  payments: readonly NoticePayment[];
  /** A renewal could not be charged, which not every provider reports as a payment. */
  isRenewalFailed?: boolean;
  /** Id of the migration intent that this purchase completes. */
  intentId?: string | null;
}

export type Clocks = Readonly<Record<string, string>>;

/** Sorts by time, then by event, so that two events of one second have an order, too. */
export const clockOf = (at: Date, eventId: string): string => `${at.toISOString()} ${eventId}`;

interface Timed {
  set: Partial<NoticeFields>;
  clock: string;
  /** Clock of the status. */
  statusClock?: string;
}

const ofStatus: ReadonlySet<string> = new Set(['intent', 'isLapsed', 'pauseUntil', 'pauseReason']);

/** The fields that nothing newer has set, and the clocks afterwards. */
export const newerFields = (
  clocks: Clocks,
  { set, clock, statusClock = clock }: Timed,
): { set: Partial<NoticeFields>; clocks: Clocks } => {
  const clockFor = (name: string) => (ofStatus.has(name) ? statusClock : clock);
  const newer = Object.entries(set).filter(
    ([name, value]) => value !== undefined && clockFor(name) > (clocks[name] ?? ''),
  );
  return {
    set: Object.fromEntries(newer),
    clocks: { ...clocks, ...Object.fromEntries(newer.map(([name]) => [name, clockFor(name)])) },
  };
};

/** Sorts before every clock of a notice or change, and as they do among each other. */
export const initialClock = (clock: string): string => `- ${clock}`;
