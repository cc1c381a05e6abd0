/** Messages as the card gateway sends them, signed independently of the code that verifies them. */
import { createHmac } from 'node:crypto';

export type Fields = Readonly<Record<string, string | readonly string[]>>;

const encode = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const listOf = (value: string | readonly string[]): readonly string[] =>
  typeof value === 'string' ? [value] : value;

const hmac = (algorithm: string, key: string, fields: Fields): string => {
  const source = Object.values(fields)
    .flatMap((value) => listOf(value))
    .map((value) => `${new TextEncoder().encode(value).length}${value}`)
    .join('');
  return createHmac(algorithm, key).update(source, 'utf8').digest('hex');
};

const encoded = (fields: Fields): string =>
  Object.entries(fields)
    .flatMap(([name, value]) =>
      typeof value === 'string'
        ? [`${name}=${encode(value)}`]
        : value.map((each) => `${name}%5B%5D=${encode(each)}`),
    )
    .join('&');

/** The body of a message with its signatures. */
export const signedForm = (
  fields: Fields,
  key: string,
  algorithms: readonly ('md5' | 'sha256' | 'sha3-256')[] = ['sha256', 'sha3-256'],
): string => {
  const sign = (algorithm: 'md5' | 'sha256' | 'sha3-256') =>
    algorithms.includes(algorithm) ? hmac(algorithm, key, fields) : '';
  return encoded({
    ...fields,
    HASH: sign('md5'),
    SIGNATURE_SHA2_256: sign('sha256'),
    SIGNATURE_SHA3_256: sign('sha3-256'),
  });
};

const local = (at: Date, offsetHours: number): string =>
  new Date(at.getTime() + offsetHours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

export interface Order {
  /** `REFNO` */
  number: string;
  /** `IPN_LICENSE_REF` */
  reference: string;
  userId: number;
  productCode: string;
  status: string;
  total: string;
  currency: string;
  paidAt: Date;
  endsAt: Date;
  /** When the notification was made. */
  at: Date;
  externalReference?: string;
  promoCode?: string;
  extra?: Fields;
}

/** Fields of an instant payment notification; times are local to an account two hours east of Greenwich. */
export const ipnFieldsOf = (order: Order): Fields => ({
  SALEDATE: local(order.paidAt, 2),
  PAYMENTDATE: local(order.paidAt, 2),
  REFNO: order.number,
  REFNOEXT: order.externalReference ?? '',
  ORDERSTATUS: order.status,
  PAYMETHOD: 'Visa/MasterCard',
  FIRSTNAME: 'Renée',
  LASTNAME: 'Décollage',
  CUSTOMEREMAIL: 'renee@example.org',
  TIMEZONE_OFFSET: 'GMT+02:00',
  CURRENCY: order.currency,
  IPN_PID: ['1'],
  IPN_PNAME: ['EFB subscription'],
  IPN_PCODE: [order.productCode],
  IPN_QTY: ['1'],
  IPN_PRICE: [order.total],
  IPN_PROMOCODE: [order.promoCode ?? ''],
  IPN_LICENSE_REF: [order.reference],
  IPN_LICENSE_EXP: [local(order.endsAt, 2)],
  IPN_LICENSE_START: [local(order.paidAt, 2)],
  IPN_TOTAL: [order.total],
  IPN_TOTALGENERAL: order.total,
  EXTERNAL_CUSTOMER_REFERENCE: String(order.userId),
  REFUND_TYPE: '',
  TEST_ORDER: '0',
  FRAUD_STATUS: 'APPROVED',
  CARD_LAST_DIGITS: '4242',
  IPN_DATE: local(order.at, 2).replaceAll(/\D/g, ''),
  ...order.extra,
});

export interface Licence {
  reference: string;
  userId: number;
  status: string;
  isDisabled: boolean;
  isRecurring: boolean;
  endsAt: Date;
  at: Date;
  reason?: string;
  extra?: Fields;
}

/** Fields of a licence change notification. */
export const lcnFieldsOf = (licence: Licence): Fields => ({
  FIRST_NAME: 'Renée',
  LAST_NAME: 'Décollage',
  EMAIL: 'renee@example.org',
  LICENSE_CODE: licence.reference,
  EXPIRATION_DATE: local(licence.endsAt, 2),
  DATE_UPDATED: local(licence.at, 2),
  EXTERNAL_CUSTOMER_REFERENCE: String(licence.userId),
  TEST: '0',
  CHANGED_BY: 'SYSTEM',
  LICENSE_TYPE: 'REGULAR',
  DISABLED: licence.isDisabled ? '1' : '0',
  RECURRING: licence.isRecurring ? '1' : '0',
  STATUS: licence.status,
  DISPATCH_REASON: licence.reason ?? 'LICENCE_CHANGE',
  ...licence.extra,
});
