/** Instant payment notifications of the card gateway. */
import { InvalidSignatureError } from '#domain/subscriptions/gateway.ts';
import type { MessageReader } from '#domain/subscriptions/gateway.ts';
import { currencyCode, toMinor } from '#domain/subscriptions/money.ts';
import { isReturned, ownerOf } from '#domain/subscriptions/notice.ts';
import type { GatewayNotice, NoticePayment, NoticeSet } from '#domain/subscriptions/notice.ts';
import type { CardSettings } from './settings.ts';
import { parseCardForm, valueAt } from '../forms.ts';
import type { CardForm } from '../forms.ts';
import { receiptText, verifyForm } from './signature.ts';
import { accountEnd, accountTime } from './times.ts';

type Status = NoticePayment['status'];

/** Payment status by order status. */
export const orderStatuses: Readonly<Record<string, Status>> = {
  COMPLETE: 'COMPLETED',
  PAYMENT_RECEIVED: 'COMPLETED',
  PENDING: 'PENDING',
  PENDING_APPROVAL: 'PENDING',
  PURCHASE_PENDING: 'PENDING',
  PAYMENT_AUTHORIZED: 'PENDING',
  AUTHRECEIVED: 'PENDING',
  SUSPECT: 'FAILED',
  INVALID: 'FAILED',
  CANCELED: 'FAILED',
  REFUND: 'REFUNDED',
  REVERSED: 'REVERSED',
};

/** Parses and verifies the body. Throws `InvalidSignatureError`. */
export const verifiedForm = (
  body: Buffer,
  { secretKey, merchantCode }: CardSettings,
): { form: CardForm; digest: string } => {
  const form = parseCardForm(body);
  const digest = verifyForm(form, secretKey);
  const vendor = valueAt(form, 'VENDOR_CODE');
  if (vendor !== null && vendor !== merchantCode) throw new InvalidSignatureError('it is for another vendor');
  return { form, digest };
};

/** The receipt signs the values of these fields. */
export const receiptOf =
  ({ secretKey }: CardSettings, fields: readonly string[]): NonNullable<MessageReader['receipt']> =>
  (body, now) => {
    const form = parseCardForm(body);
    const values = fields.map((name) => form.get(name)?.[0]?.toString('utf8') ?? '');
    const at = now.toISOString().slice(0, 19).replaceAll(/\D/g, '');
    return { contentType: 'text/html; charset=utf-8', text: receiptText(form, secretKey, values, at) };
  };

export const zoneOf = (form: CardForm, { timeZone }: CardSettings): string =>
  valueAt(form, 'TIMEZONE_OFFSET') ?? timeZone;

/** The time in a field; null if it has none. */
export const timeAt = (form: CardForm, settings: CardSettings, name: string, index = 0): Date | null =>
  accountTime(valueAt(form, name, index), zoneOf(form, settings));

const statusOf = (form: CardForm): Status | null => {
  const status = orderStatuses[valueAt(form, 'ORDERSTATUS') ?? ''] ?? null;
  const fraud = valueAt(form, 'FRAUD_STATUS');
  if (status !== 'COMPLETED' || fraud === null || fraud === 'APPROVED') return status;
  return fraud === 'DENIED' ? 'FAILED' : 'PENDING';
};

const paymentsOf = (
  form: CardForm,
  settings: CardSettings,
  status: Status,
  at: Date,
  index: number,
): NoticePayment[] => {
  const transactionId = valueAt(form, 'REFNO');
  const currency = currencyCode(valueAt(form, 'CURRENCY') ?? 'EUR');
  const isOnlyOne = (form.get('IPN_PID')?.length ?? 1) <= 1;
  const total = (isOnlyOne ? valueAt(form, 'IPN_TOTALGENERAL') : null) ?? valueAt(form, 'IPN_TOTAL', index);
  const amount = toMinor(total ?? '0', currency);
  if (transactionId === null || amount === null) return [];
  const id = isOnlyOne ? transactionId : `${transactionId}-${index + 1}`;
  const method = valueAt(form, 'PAYMETHOD');
  const paidAt = timeAt(form, settings, 'PAYMENTDATE') ?? timeAt(form, settings, 'SALEDATE') ?? at;
  const common = { transactionId: id, currency, method };
  const isPartial = valueAt(form, 'REFUND_TYPE') === 'PARTIAL';
  // An order can be refunded in several, even equal, parts: each message has an id or a time.
  const part = isPartial ? `-${valueAt(form, 'MESSAGE_ID') ?? valueAt(form, 'IPN_DATE') ?? ''}` : '';
  const own: NoticePayment = {
    ...common,
    kind: 'payment',
    status: isPartial ? 'COMPLETED' : status,
    amountMinor: Math.abs(amount),
    paidAt,
  };
  if (!isReturned({ status })) return [own];
  const back = -Math.abs(amount);
  return [
    // The total of a partial refund is the refunded amount, so the payment stays unchanged.
    ...(isPartial ? [] : [own]),
    {
      ...common,
      transactionId: `${id}${part}`,
      ofTransactionId: id,
      kind: 'refund',
      status: 'COMPLETED',
      amountMinor: back,
      paidAt: at,
    },
  ];
};

/** Discount, possibly from a code that only the gateway knows; on a renewal it is not limited to the first payment. */
const discountOf = (form: CardForm, index: number): NoticeSet => {
  const [price, discount, quantity] = ['IPN_PRICE', 'IPN_DISCOUNT', 'IPN_QTY'].map((name) =>
    Number(valueAt(form, name, index) ?? NaN),
  );
  const share = (discount ?? NaN) / ((price ?? NaN) * (quantity || 1));
  if (!(share > 0 && share <= 1)) return {};
  return {
    discountPercent: Math.round(share * 100),
    discountRecurring: valueAt(form, 'ORIGINAL_REFNOEXT') !== null,
  };
};

/** Subscription fields from a paid order. */
const paidFields = (
  form: CardForm,
  settings: CardSettings,
  index: number,
  payment: NoticePayment | undefined,
): NoticeSet => {
  const name = [valueAt(form, 'FIRSTNAME'), valueAt(form, 'LASTNAME')].filter(Boolean).join(' ');
  const productCode = valueAt(form, 'IPN_PCODE', index) ?? valueAt(form, 'IPN_EXTERNAL_REFERENCE', index);
  const promoCode = valueAt(form, 'IPN_PROMOCODE', index);
  return {
    intent: 'Running',
    isLapsed: false,
    productCode: productCode ?? undefined,
    startsAt: timeAt(form, settings, 'IPN_LICENSE_START', index) ?? payment?.paidAt,
    ...accountEnd(valueAt(form, 'IPN_LICENSE_EXP', index), zoneOf(form, settings)),
    subscriberEmail: valueAt(form, 'CUSTOMEREMAIL') ?? undefined,
    subscriberName: name || undefined,
    cardLast4: /\d{4}$/.exec(valueAt(form, 'CARD_LAST_DIGITS') ?? '')?.[0],
    ...(promoCode === null ? {} : { promoCode, ...discountOf(form, index) }),
  };
};

const fieldsOf = (
  form: CardForm,
  settings: CardSettings,
  { status, index, at }: { status: Status; index: number; at: Date },
  payment: NoticePayment | undefined,
): NoticeSet => {
  if (status === 'COMPLETED') return paidFields(form, settings, index, payment);
  const isAllBack =
    status === 'REVERSED' || (status === 'REFUNDED' && valueAt(form, 'REFUND_TYPE') !== 'PARTIAL');
  return isAllBack ? { isLapsed: true, endsAt: at } : {};
};

const noticesOf = (form: CardForm, settings: CardSettings, now: Date): GatewayNotice[] => {
  const status = statusOf(form);
  if (status === null) return [];
  const at = timeAt(form, settings, 'IPN_DATE') ?? now;
  const owner = ownerOf(valueAt(form, 'EXTERNAL_CUSTOMER_REFERENCE'));
  const external = valueAt(form, 'REFNOEXT');
  const what = `Order ${valueAt(form, 'REFNO')}: ${valueAt(form, 'ORDERSTATUS')}.`;
  return [...(form.get('IPN_LICENSE_REF') ?? []).keys()].flatMap((index) => {
    const reference = valueAt(form, 'IPN_LICENSE_REF', index);
    if (reference === null) return [];
    const payments = paymentsOf(form, settings, status, at, index);
    const payment = payments.find(({ kind }) => kind === 'payment');
    const set = fieldsOf(form, settings, { status, index, at }, payment);
    const isPaid = status === 'COMPLETED';
    return [
      {
        reference,
        occurredAt: at,
        what,
        owner,
        set,
        payments,
        intentId: isPaid ? external : null,
        ...(isPaid ? { initial: { autoRenew: true } } : {}),
        ...(isPaid && payment ? { statusAt: payment.paidAt, coversFrom: payment.paidAt } : {}),
      },
    ];
  });
};

export const ipnReader = (settings: CardSettings): MessageReader => ({
  verify: async (body, now) => {
    const { form, digest } = verifiedForm(body, settings);
    const order = valueAt(form, 'REFNO') ?? 'none';
    return {
      eventId: `${order} ${valueAt(form, 'ORDERSTATUS') ?? 'none'} ${digest.slice(0, 32)}`,
      occurredAt: timeAt(form, settings, 'IPN_DATE') ?? now,
      reference: valueAt(form, 'IPN_LICENSE_REF'),
    };
  },
  receipt: receiptOf(settings, ['IPN_PID', 'IPN_PNAME', 'IPN_DATE']),
  notices: async (body, now) => {
    const form = parseCardForm(body);
    if (valueAt(form, 'TEST_ORDER') === '1' && !settings.acceptsTests) return [];
    return noticesOf(form, settings, now);
  },
});
