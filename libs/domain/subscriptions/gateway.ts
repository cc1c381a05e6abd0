/**
 * The port of payment gateways. Each gateway implements `Gateway` in libs/data-sources/gateways/<kind>: its features
 * are data (`capabilities`), and unsupported ones are never called. Calls are idempotent: a state already reached
 * counts as success, so a retry after an unknown outcome is harmless.
 */
import { DomainError } from '../errors.ts';
import { addSeconds } from '../time.ts';
import type { GatewayStatus } from './entitlement.ts';
import type { ChangeVerb, GatewayVerb } from './orders.ts';
import type { GatewayNotice, NoticePayment } from './notice.ts';

export const gatewayKinds = ['card', 'wallet', 'store'] as const;
export type GatewayKind = (typeof gatewayKinds)[number];

/** Codes of the providers, as used in the table `gateway`, in webhook paths and in `paymentMethod`. */
export const gatewayCodes = { card: '2checkout', wallet: 'paypal', store: 'apple' } as const;

/** Pages on which customers manage their subscriptions. */
export const manageUrls = {
  card: 'https://secure.2checkout.com/myaccount/',
  wallet: 'https://www.paypal.com/myaccount/autopay/',
  store: 'https://apps.apple.com/account/subscriptions',
} as const;

export const kindOfGateway = (code: string | null): GatewayKind | null =>
  gatewayKinds.find((kind) => gatewayCodes[kind] === code) ?? null;

export type Ability =
  | 'pause'
  | 'resume'
  | 'cancel'
  | 'autoRenewal'
  | 'changePlan'
  | 'changePaymentMethod'
  | 'refund'
  | 'live';

/** M-4.8.g1, M-4.8.g2; `live`: its current state can be read. */
export const capabilities: Readonly<Record<GatewayKind, readonly Ability[]>> = {
  card: ['pause', 'resume', 'cancel', 'autoRenewal', 'changePlan', 'changePaymentMethod', 'refund', 'live'],
  wallet: ['pause', 'resume', 'cancel', 'live'],
  store: [],
};

/** True if the gateway with this code does it on request of this service. */
export const isOffered = (code: string | null, ability: Ability): boolean => {
  const kind = kindOfGateway(code);
  return kind !== null && capabilities[kind].includes(ability);
};

/** The gateway with this code. Throws OPERATION_NOT_SUPPORTED, with its own page, if it does not do it. */
export const gatewayFor = (code: string | null, ability: Ability): GatewayKind => {
  const kind = kindOfGateway(code);
  if (kind !== null && capabilities[kind].includes(ability)) return kind;
  throw new DomainError('OPERATION_NOT_SUPPORTED', { manage_url: kind && manageUrls[kind] });
};

/** The capability that a change requires. */
export const capabilityOf = (verb: ChangeVerb): Ability =>
  verb === 'renewalOn' || verb === 'renewalOff' ? 'autoRenewal' : verb;

/**
 * A failed gateway call. `refused`: the gateway said no, and will again; `unavailable`: nothing was done; `unknown`: it
 * may have been done, for example after a timeout.
 */
export class GatewayError extends Error {
  override name = 'GatewayError';
  readonly outcome: 'refused' | 'unavailable' | 'unknown';
  constructor(outcome: GatewayError['outcome'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.outcome = outcome;
  }
}

/** The card gateway's documentation says 5 minutes. */
const readLagSeconds = 900;

/** True if the gateway's read API may not show it yet. */
export const isUnshown = (at: Date | null, now: Date): boolean =>
  at !== null && now < addSeconds(at, readLagSeconds);

/** A change to carry out at the gateway. */
export interface GatewayChange {
  verb: GatewayVerb;
  reference: string;
  /** For a pause: when charging resumes. */
  resumeAt?: Date | undefined;
  reason?: string | undefined;
  /** For a plan change: code and currency of the product. */
  targetCode?: string | undefined;
  currency?: string | undefined;
  /** The charge for a plan change as the user saw it; 0 for a cheaper plan. */
  chargeMinor?: number | undefined;
  /** When an earlier attempt may have reached the gateway. */
  sentAt?: Date | null;
  /** The end to set; nothing to do if the gateway already has it. */
  endsAt?: Date | undefined;
  /** For an end that may be earlier than the gateway's: the renewal state known here, which the change must keep. */
  held?: { isEnabled: boolean; isRenewed: boolean } | undefined;
}

/** A subscription as the gateway shows it now. */
export interface LiveSubscription {
  status: GatewayStatus;
  /** Price of the next renewal with taxes, in minor units; card gateway only. */
  price: { currency: string; nextMinor: number | null } | null;
  /** As one of its messages would report it. */
  notice: GatewayNotice;
}

export interface CheckoutRequest {
  productCode: string;
  promoCode?: string | undefined;
  currency: string;
  userId: number;
  /** Returned with the payment; the id of a migration intent. */
  externalReference?: string | undefined;
  /** The subscription to renew instead of buying another. */
  renews?: string | undefined;
  expiresAt: Date;
}

export interface CallOptions {
  timeoutMs: number;
  signal?: AbortSignal;
  /** Called before each request to the gateway. */
  called?: () => void;
}

/** A message verified to come from the provider. */
export interface VerifiedMessage {
  /** The provider's event id, equal for all copies. */
  eventId: string;
  occurredAt: Date;
  /** The provider's id of the subscription; null if the message names none. */
  reference: string | null;
}

interface Receipt {
  contentType: string;
  text: string;
}

/** Parses one kind of message from its raw bytes, for `apps/api/webhooks` and the job `webhook.apply`. */
export interface MessageReader {
  /**
   * Throws `InvalidSignatureError` for a forged message, and `GatewayError` if it cannot be verified now, so that the
   * provider sends it again.
   */
  verify: (body: Buffer, now: Date) => Promise<VerifiedMessage>;
  /** The acknowledgement that ends the provider's retries, equal for all copies; absent: an empty one. */
  receipt?: (body: Buffer, now: Date) => Receipt;
  /**
   * The notices in a stored message, empty if it changes nothing. A message without a time describes the state when it
   * was received. Runs in the job, so it may call the provider.
   */
  notices: (body: Buffer, receivedAt: Date) => Promise<GatewayNotice[]>;
}

export class InvalidSignatureError extends Error {
  override name = 'InvalidSignatureError';
}

export interface ReadOptions extends CallOptions {
  /** Currency of the next renewal; without it, its price is not read. */
  currency?: string;
}

/** Input of the nightly comparison. */
interface Missed {
  /** Changed subscriptions; null: the gateway has no list, so each live one has to be read. */
  references: readonly string[] | null;
  /** Messages that the gateway has sent, received or not, with the last part of their webhook's path. */
  messages: readonly { event: string; body: Buffer }[];
}

export interface PaymentOptions extends CallOptions {
  /** Transactions to skip; the newest one is read anyway, since it may have been refunded. */
  known?: ReadonlySet<string>;
}

export interface Gateway {
  readonly kind: GatewayKind;
  /** False without credentials: calls throw `GatewayError` unavailable, and messages are refused. */
  readonly isConfigured: boolean;
  /** By the last part of the webhook path: `ipn`, `lcn`, `notifications`, `mobile`. */
  readonly messages: Readonly<Record<string, MessageReader>>;
  /** Carries out the change; resolves when the gateway has it, even if it had it before. */
  change: (change: GatewayChange, options: CallOptions) => Promise<void>;
  /** Null: the gateway does not know the subscription. */
  read: (reference: string, options: ReadOptions) => Promise<LiveSubscription | null>;
  payments: (reference: string, options: PaymentOptions) => Promise<NoticePayment[]>;
  /** Changes since then, for the nightly comparison. */
  missed: (since: Date, options: CallOptions) => Promise<Missed>;
  checkoutUrl: (request: CheckoutRequest) => string;
  /** A page where the customer changes the payment method; valid for minutes, never stored. */
  paymentMethodUrl: (reference: string, email: string, options: CallOptions) => Promise<string>;
  refund: (
    request: { transactionId: string; amountMinor: number; currency: string; reason: string },
    options: CallOptions,
  ) => Promise<{ refundId: string; status: string }>;
}

export type Gateways = Readonly<Record<GatewayKind, Gateway>>;
