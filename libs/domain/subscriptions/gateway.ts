/**
 * The port of payment gateways. A gateway implements `Gateway` in libs/data-sources/gateways/<kind>: what it can do
 * is data (`capabilities`), what it cannot do is never called. Every call is repeatable: a state that is already
 * reached is success, so that a retry after an unknown outcome does no harm.
 */
import { addSeconds } from '../time.ts';
import type { GatewayStatus } from './entitlement.ts';
import type { ChangeVerb } from './orders.ts';
import type { GatewayNotice, NoticePayment } from './notice.ts';

export const gatewayKinds = ['card', 'wallet', 'store'] as const;
export type GatewayKind = (typeof gatewayKinds)[number];

/** Codes of the providers, as in the table `gateway`, in paths of webhooks and in `paymentMethod`. */
export const gatewayCodes = { card: '2checkout', wallet: 'paypal', store: 'apple' } as const;

export const kindOfGateway = (code: string | null): GatewayKind | null =>
  gatewayKinds.find((kind) => gatewayCodes[kind] === code) ?? null;

/** `checkout`: signed links to buy and renew. `live`: status, currency and orders can be read. */
const abilities = [
  'pause',
  'resume',
  'cancel',
  'autoRenewal',
  'changePlan',
  'changePaymentMethod',
  'refund',
  'checkout',
  'live',
] as const;
type Ability = (typeof abilities)[number];
export type GatewayCapabilities = Readonly<Record<Ability, boolean>>;

const can = (able: readonly Ability[]): GatewayCapabilities =>
  Object.fromEntries(abilities.map((one) => [one, able.includes(one)])) as GatewayCapabilities;

/** M-4.8.g1, M-4.8.g2. */
export const capabilities: Readonly<Record<GatewayKind, GatewayCapabilities>> = {
  card: can(abilities),
  wallet: can(['pause', 'resume', 'cancel', 'live']),
  store: can([]),
};

/** The capability that a change needs. */
export const capabilityOf = (verb: ChangeVerb): Ability =>
  verb === 'renewalOn' || verb === 'renewalOff' ? 'autoRenewal' : verb;

/**
 * A call of a gateway failed. `refused`: it said no, and will again; `unavailable`: it did nothing; `unknown`: it may
 * have done it, for example after a timeout.
 */
export class GatewayError extends Error {
  override name = 'GatewayError';
  readonly outcome: 'refused' | 'unavailable' | 'unknown';
  constructor(outcome: GatewayError['outcome'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.outcome = outcome;
  }
}

/** By the reference of the card gateway 5 minutes. */
const readLagSeconds = 900;

/** Readers of a gateway may not show yet what was done then. */
export const isUnshown = (at: Date | null, now: Date): boolean =>
  at !== null && now < addSeconds(at, readLagSeconds);

/** `extend`: moves the paid end, after a purchase that carries days over or a change of plan without a charge. */
export type GatewayVerb = ChangeVerb | 'extend';

/** What a change means for the gateway. */
export interface GatewayChange {
  verb: GatewayVerb;
  reference: string;
  /** For a pause: when charging resumes. */
  resumeAt?: Date;
  reason?: string;
  /** For a change of plan: code and currency of the product. */
  targetCode?: string;
  currency?: string;
  /** What a change of plan costs now, as the user was shown; 0 for a cheaper plan. */
  chargeMinor?: number;
  /** When an earlier attempt may have reached the gateway. */
  sentAt?: Date | null;
  /** The end to reach; a gateway that is there already has nothing to do. */
  endsAt?: Date;
  /** For an end that may also be earlier than the one it has: what it is known to hold, which stays so. */
  held?: { isEnabled: boolean; isRenewed: boolean };
}

/** What the gateway says about a subscription now. */
export interface LiveSubscription {
  status: GatewayStatus;
  autoRenew: boolean | null;
  pauseUntil: Date | null;
  productCode: string | null;
  currency: string | null;
  nextBillingAt: Date | null;
  /** With taxes, in minor units; of the card gateway. */
  nextBillingMinor: number | null;
}

export interface CheckoutRequest {
  productCode: string;
  promoCode?: string | undefined;
  currency: string;
  userId: number;
  email: string;
  /** Comes back with the payment; the id of a migration intent. */
  externalReference?: string | undefined;
  /** Renews this subscription instead of buying another. */
  renews?: string | undefined;
  expiresAt: Date;
}

export interface CallOptions {
  timeoutMs: number;
  signal?: AbortSignal;
  /** Before each request to the gateway. */
  called?: () => void;
}

/** One kind of message that a provider sends, as raw bytes. */
export interface RawMessage {
  body: Buffer;
  contentType: string | null;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A message of which is known that the provider sent it. */
export interface VerifiedMessage {
  /** The provider's id of the event: the same for every copy. */
  eventId: string;
  occurredAt: Date;
  /** The provider's name of the subscription; null when the message names none. */
  reference: string | null;
}

interface Receipt {
  contentType: string;
  text: string;
}

/** Reads one kind of message; `apps/api/webhooks` and the job `webhook.apply` use it. */
export interface MessageReader {
  /**
   * Throws `InvalidSignatureError` for a message that the provider did not send, and `GatewayError` when that cannot be
   * found out now, which asks the provider to send it again.
   */
  verify: (message: RawMessage, now: Date) => Promise<VerifiedMessage>;
  /** The body that stops the provider's retries; the same for every copy. */
  receipt: (message: RawMessage, now: Date) => Receipt;
  /**
   * What a stored message says, in the words of the domain; empty when it changes nothing. One that names no time says
   * what was so when it was received. Runs in the job, so it may ask the provider.
   */
  notices: (message: Pick<RawMessage, 'body' | 'contentType'>, receivedAt: Date) => Promise<GatewayNotice[]>;
}

export class InvalidSignatureError extends Error {
  override name = 'InvalidSignatureError';
}

export interface ReadOptions extends CallOptions {
  /** Of the price of the next renewal; EUR by default. */
  currency?: string;
}

export interface PaymentOptions extends CallOptions {
  /** Transactions that need not be read again; the newest one is, since it may have been given back. */
  known?: ReadonlySet<string>;
}

export interface Gateway {
  readonly kind: GatewayKind;
  /** False without credentials: every call throws `GatewayError` unavailable, and messages are refused. */
  readonly isConfigured: boolean;
  /** The provider's page on which customers manage their subscriptions. */
  readonly manageUrl: string;
  /** By the last part of the webhook's path: `ipn`, `lcn`, `notifications`, `mobile`. */
  readonly messages: Readonly<Record<string, MessageReader>>;
  /** Carries the change out; resolves when the gateway has it, also when it had it before. */
  change: (change: GatewayChange, options: CallOptions) => Promise<void>;
  /** Null: the gateway does not know the subscription. */
  read: (reference: string, options: ReadOptions) => Promise<LiveSubscription | null>;
  payments: (reference: string, options: PaymentOptions) => Promise<NoticePayment[]>;
  /**
   * What has changed since then, for the nightly comparison. Null: it has no list of changes, so each subscription has
   * to be read.
   */
  missed: ((since: Date, options: CallOptions) => Promise<GatewayNotice[]>) | null;
  checkoutUrl: (request: CheckoutRequest) => string;
  /** A page on which the customer changes the payment method; valid for minutes, never stored. */
  paymentMethodUrl: (reference: string, email: string, options: CallOptions) => Promise<string>;
  refund: (
    request: { transactionId: string; amountMinor: number; currency: string; reason: string },
    options: CallOptions,
  ) => Promise<{ refundId: string; status: string }>;
}

export type Gateways = Readonly<Record<GatewayKind, Gateway>>;
