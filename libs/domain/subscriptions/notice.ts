/**
 * A provider's message in domain terms. Each field of a subscription has the clock of the notice that set it, and the
 * newest wins, so the result is the same in whatever order messages arrive, and however often.
 */
import type { GatewayStatus } from './entitlement.ts';

/** The gateway's words except `Expired`. */
export type Intent = Exclude<GatewayStatus, 'Expired'>;

/** Fields of a subscription that a provider's message can set. */
export interface NoticeFields {
  /** What the customer wants; expiry is separate, so that neither hides the other. */
  intent: Intent;
  isLapsed: boolean;
  productCode: string;
  startsAt: Date;
  endsAt: Date;
  /** The provider reported a day without a time. */
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

/** Undefined: not set. */
export type NoticeSet = { [F in keyof NoticeFields]?: NoticeFields[F] | undefined };

export interface NoticePayment {
  transactionId: string;
  kind: 'payment' | 'refund';
  status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'REFUNDED' | 'REVERSED';
  /** The payment that a refund returns, if the refund has its own id. */
  ofTransactionId?: string;
  /** Positive for a payment, negative for a refund. */
  amountMinor: number;
  currency: string;
  method: string | null;
  paidAt: Date;
}

/** True if the full amount was refunded. */
export const isReturned = ({ status }: { status: NoticePayment['status'] | null }): boolean =>
  status === 'REFUNDED' || status === 'REVERSED';

/** How the provider identifies the account. */
export type NoticeOwner = { userId: number } | { storeAccountToken: string };

/** The account in the data attached to a purchase. */
export const ownerOf = (account: string | null): NoticeOwner | null =>
  /^[1-9]\d{0,9}$/.test(account ?? '') ? { userId: Number(account) } : null;

export interface GatewayNotice {
  /** The provider's id of the subscription. */
  reference: string;
  /** Time by the provider's clock. */
  occurredAt: Date;
  /** One sentence for the history. */
  what: string;
  /** Clock of the status (`ofStatus`) if it differs: a payment describes the state when it was made. */
  statusAt?: Date;
  /**
   * Creates the subscription if there is none; requires `owner`, and in `set` `productCode` and `startsAt`, with
   * `endsAt` there or `coversFrom`.
   */
  owner?: NoticeOwner | null;
  set: NoticeSet;
  /** Initial values, until a notice or change sets these fields. */
  initial?: NoticeSet;
  /** Start of the period that the payment covers; without `endsAt`, the product's period. */
  coversFrom?: Date;
  /** The amount paid, if the buyer's browser stated the price: a dearer product is not granted for it. */
  covers?: { minor: number; currency: string };
  payments: readonly NoticePayment[];
  /** A renewal charge failed, which not every provider reports as a payment. */
  isRenewalFailed?: boolean;
  /** Id of the migration completed by this purchase. */
  intentId?: string | null;
}

export type Clocks = Readonly<Record<string, string>>;

/** Sorts by time, then by event, which orders events of the same second. */
export const clockOf = (at: Date, eventId: string): string => `${at.toISOString()} ${eventId}`;

interface Timed {
  set: NoticeSet;
  clock: string;
  /** Clock of the status. */
  statusClock?: string;
}

const ofStatus: ReadonlySet<string> = new Set(['intent', 'isLapsed', 'pauseUntil', 'pauseReason']);

/** Fields not set by anything newer, and the resulting clocks. */
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

/** Sorts before all clocks of notices and changes, and in their order. */
export const initialClock = (clock: string): string => `- ${clock}`;
