/** Notices from wallet gateway notifications. */
import { currencyCode, toMinor } from '#domain/subscriptions/money.ts';
import { ownerOf } from '#domain/subscriptions/notice.ts';
import type { GatewayNotice, NoticePayment, NoticeSet } from '#domain/subscriptions/notice.ts';
import { fieldOf } from '../forms.ts';
import type { WalletForm } from '../forms.ts';
import { nvp } from './nvp.ts';
import type { NvpParts } from './nvp.ts';

const timeOrNull = (text: string): Date | null => {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at;
};

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Parses `20:12:59 Jan 13, 2009 PST` or RFC 3339; null for other text. */
export const walletTime = (text: string | null): Date | null => {
  const pacific = /^(\d\d:\d\d:\d\d) (\w{3})\.? (\d{1,2}), (\d{4}) (PST|PDT|GMT|UTC)$/.exec(text ?? '');
  if (!pacific) return isoTime.test(text ?? '') ? timeOrNull(text ?? '') : null;
  const [, time, month, day, year, zone] = pacific;
  return timeOrNull(`${day} ${month} ${year} ${time} ${zone}`);
};

export const referenceOf = (form: WalletForm): string | null =>
  fieldOf(form, 'subscr_id') ?? fieldOf(form, 'recurring_payment_id');

type Money = 'paid' | 'pending' | 'failed' | 'refunded' | 'reversed' | 'restored';

const money: Readonly<Record<string, Money>> = {
  Completed: 'paid',
  Processed: 'paid',
  Pending: 'pending',
  Created: 'pending',
  Denied: 'failed',
  Failed: 'failed',
  Expired: 'failed',
  Voided: 'failed',
  Refunded: 'refunded',
  Partially_Refunded: 'refunded',
  Reversed: 'reversed',
  Canceled_Reversal: 'restored',
};

/** All statuses of a payment have its date, in seconds; these milliseconds order them. */
const rank: Readonly<Record<Money, number>> = {
  pending: 0,
  failed: 1,
  paid: 2,
  refunded: 3,
  reversed: 3,
  restored: 4,
};

const moneyOf = (form: WalletForm): Money | null => money[fieldOf(form, 'payment_status') ?? ''] ?? null;

/** `time_created` is not used: it is the creation time of the profile. */
const dateOf = (form: WalletForm): Date | null =>
  ['payment_date', 'subscr_effective', 'subscr_date', 'case_creation_date']
    .map((name) => walletTime(fieldOf(form, name)))
    .find((at) => at !== null) ?? null;

/** Time by the provider's clock; null when missing. */
export const occurredAt = (form: WalletForm): Date | null => {
  const at = dateOf(form);
  const kind = moneyOf(form);
  return at && new Date(at.getTime() + (kind ? rank[kind] : 0));
};

/** Messages without a payment. The end of the last term may be announced when that term starts, so it ends no access. */
const changes: Readonly<Record<string, NoticeSet>> = {
  subscr_signup: {},
  subscr_modify: {},
  subscr_failed: {},
  subscr_eot: { autoRenew: false },
  subscr_cancel: { intent: 'Cancelled', autoRenew: false },
  recurring_payment_profile_created: {},
  recurring_payment_failed: {},
  recurring_payment_skipped: {},
  recurring_payment_expired: { autoRenew: false },
  recurring_payment_profile_cancel: { intent: 'Cancelled', autoRenew: false },
  recurring_payment_suspended: { intent: 'paused' },
  recurring_payment_suspended_due_to_max_failed_payment: { intent: 'paused' },
};

/** Messages about failed charges, which contain no payment. */
const failures: ReadonlySet<string> = new Set([
  'subscr_failed',
  'recurring_payment_failed',
  'recurring_payment_skipped',
  'recurring_payment_suspended_due_to_max_failed_payment',
]);

const subscriber = (form: WalletForm): NoticeSet => {
  const name = [fieldOf(form, 'first_name'), fieldOf(form, 'last_name')].filter(Boolean).join(' ');
  return { subscriberEmail: fieldOf(form, 'payer_email') ?? undefined, subscriberName: name || undefined };
};

const currencyIn = (form: WalletForm): string | null => {
  const named = fieldOf(form, 'mc_currency');
  return named === null ? null : currencyCode(named);
};

const ownPayment = (form: WalletForm, kind: Money, at: Date): NoticePayment | null => {
  const transactionId = fieldOf(form, 'txn_id');
  const currency = currencyIn(form);
  const minor = currency === null ? null : toMinor(fieldOf(form, 'mc_gross') ?? '', currency);
  if (transactionId === null || currency === null || minor === null) return null;
  const method = fieldOf(form, 'payment_type') ?? 'wallet';
  const common = { transactionId, currency, method, paidAt: at };
  const amountMinor = Math.abs(minor);
  if (kind === 'refunded' || kind === 'reversed') {
    const parent = fieldOf(form, 'parent_txn_id');
    const given = { ...common, kind: 'refund', status: 'COMPLETED', amountMinor: -amountMinor } as const;
    return parent === null ? given : { ...given, ofTransactionId: parent };
  }
  const status = kind === 'pending' ? 'PENDING' : kind === 'failed' ? 'FAILED' : 'COMPLETED';
  return { ...common, kind: 'payment', status, amountMinor };
};

const lookupMs = 10_000;

/** The refunded payment, read from the gateway: a refund has only its id. */
const parentOf = async (form: WalletForm, parts: NvpParts | null) => {
  const id = fieldOf(form, 'parent_txn_id');
  if (id === null || !parts) return null;
  const found = await nvp(parts, 'GetTransactionDetails', { TRANSACTIONID: id }, { timeoutMs: lookupMs });
  const named = found?.get('CURRENCYCODE') ?? null;
  const currency = named === null ? null : currencyCode(named);
  const amountMinor = currency === null ? null : toMinor(found?.get('AMT') ?? '', currency);
  const paidAt = walletTime(found?.get('ORDERTIME') ?? null);
  return {
    reference: found?.get('SUBSCRIPTIONID') ?? found?.get('PROFILEID') ?? null,
    payment:
      currency === null || amountMinor === null || !paidAt
        ? null
        : { transactionId: id, currency, amountMinor, paidAt },
  };
};

const backNotice = async (
  form: WalletForm,
  parts: NvpParts | null,
  kind: 'refunded' | 'reversed' | 'restored',
  at: Date,
): Promise<GatewayNotice[]> => {
  const parent = await parentOf(form, parts);
  // Without a known subscription, the message waits for an operator under the payment id.
  const reference = referenceOf(form) ?? parent?.reference ?? fieldOf(form, 'parent_txn_id');
  if (reference === null) return [];
  const own = kind === 'restored' ? null : ownPayment(form, kind, dateOf(form) ?? at);
  const paid = parent?.payment ?? null;
  const isPartial =
    fieldOf(form, 'payment_status') === 'Partially_Refunded' ||
    (own !== null && paid !== null && -own.amountMinor < paid.amountMinor);
  const statuses = { refunded: 'REFUNDED', reversed: 'REVERSED', restored: 'COMPLETED' } as const;
  const method = fieldOf(form, 'payment_type') ?? 'wallet';
  const status = isPartial ? 'COMPLETED' : statuses[kind];
  const before: NoticePayment[] = paid ? [{ ...paid, kind: 'payment', status, method }] : [];
  // A reversal may be cancelled, so the paid end is kept for that case.
  const fields = {
    refunded: { isLapsed: true, endsAt: dateOf(form) ?? at },
    reversed: { isLapsed: true },
    restored: { isLapsed: false },
  };
  return [
    {
      reference,
      occurredAt: at,
      what: `Payment ${fieldOf(form, 'parent_txn_id') ?? ''}: ${fieldOf(form, 'payment_status')}.`,
      set: isPartial ? {} : fields[kind],
      payments: own ? [...before, own] : before,
    },
  ];
};

const paidFields = (form: WalletForm, paidAt: Date): NoticeSet => {
  const productCode = fieldOf(form, 'item_number') ?? fieldOf(form, 'product_name');
  const next = walletTime(fieldOf(form, 'next_payment_date'));
  return {
    intent: 'Running',
    isLapsed: false,
    startsAt: paidAt,
    productCode: productCode ?? undefined,
    ...(next && next > paidAt ? { endsAt: next, nextBillingAt: next } : {}),
    ...subscriber(form),
  };
};

const paymentNotice = (form: WalletForm, reference: string, kind: Money, at: Date): GatewayNotice => {
  const paidAt = dateOf(form) ?? at;
  const payment = ownPayment(form, kind, paidAt);
  const isPaid = kind === 'paid' && payment !== null;
  return {
    reference,
    occurredAt: at,
    what: `Payment ${fieldOf(form, 'txn_id') ?? ''}: ${fieldOf(form, 'payment_status')}.`,
    owner: ownerOf(fieldOf(form, 'custom')),
    set: isPaid ? paidFields(form, paidAt) : {},
    payments: payment ? [payment] : [],
    ...(isPaid
      ? {
          statusAt: paidAt,
          coversFrom: paidAt,
          initial: { autoRenew: true },
          covers: { minor: payment.amountMinor, currency: payment.currency },
        }
      : {}),
  };
};

/** Empty for unrelated messages. `parts` looks up the payment behind a refund. */
export const noticesOf = async (
  form: WalletForm,
  parts: NvpParts | null,
  now: Date,
): Promise<GatewayNotice[]> => {
  const at = occurredAt(form) ?? now;
  const kind = moneyOf(form);
  if (kind === 'refunded' || kind === 'reversed' || kind === 'restored')
    return backNotice(form, parts, kind, at);
  const reference = referenceOf(form);
  if (reference === null) return [];
  if (kind !== null) return [paymentNotice(form, reference, kind, at)];
  const type = fieldOf(form, 'txn_type') ?? '';
  const set = changes[type];
  if (!set) return [];
  const next = walletTime(fieldOf(form, 'retry_at')) ?? walletTime(fieldOf(form, 'next_payment_date'));
  return [
    {
      reference,
      occurredAt: at,
      what: `Message: ${type}.`,
      set: { ...set, ...subscriber(form), nextBillingAt: next ?? undefined },
      payments: [],
      isRenewalFailed: failures.has(type),
    },
  ];
};
