/** Notifications as the wallet gateway sends them. */

export type IpnFields = Readonly<Record<string, string>>;

const hex = (code: number, digits: number): string => code.toString(16).toUpperCase().padStart(digits, '0');

/** Percent-encoded in windows-1252, whose characters used here equal Latin 1; others as `%uXXXX`. */
const encode = (text: string): string =>
  text
    .split('')
    .map((sign) => {
      if (sign === ' ') return '+';
      if (/[\w.-]/.test(sign)) return sign;
      const code = sign.charCodeAt(0);
      return code < 256 ? `%${hex(code, 2)}` : `%u${hex(code, 4)}`;
    })
    .join('');

export const ipnBody = (fields: IpnFields): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encode(value)}`)
    .join('&');

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `20:12:59 Jan 13, 2009 PST` */
export const pacificTime = (at: Date): string => {
  const local = new Date(at.getTime() - 8 * 3_600_000);
  const day = String(local.getUTCDate()).padStart(2, '0');
  const month = months[local.getUTCMonth()];
  return `${local.toISOString().slice(11, 19)} ${month} ${day}, ${local.getUTCFullYear()} PST`;
};

export interface WalletPayment {
  /** `txn_id` */
  transactionId: string;
  /** `subscr_id` */
  reference: string;
  userId: number;
  productCode: string;
  total: string;
  currency: string;
  paidAt: Date;
  status?: string;
  extra?: IpnFields;
}

const person: IpnFields = {
  first_name: 'Renée',
  last_name: 'Décollage',
  payer_email: 'renee@example.org',
  payer_id: 'PAYER1',
};

export const paymentFields = (payment: WalletPayment, receiver: string): IpnFields => ({
  txn_type: 'subscr_payment',
  subscr_id: payment.reference,
  ...person,
  item_name: 'EFB subscription',
  item_number: payment.productCode,
  mc_gross: payment.total,
  mc_currency: payment.currency,
  payment_type: 'instant',
  payment_status: payment.status ?? 'Completed',
  payment_date: pacificTime(payment.paidAt),
  txn_id: payment.transactionId,
  business: receiver,
  receiver_email: receiver,
  custom: String(payment.userId),
  charset: 'windows-1252',
  notify_version: '3.9',
  ipn_track_id: `track-${payment.transactionId}`,
  ...payment.extra,
});

export interface WalletEvent {
  /** `txn_type` */
  type: string;
  reference: string;
  at: Date;
  /** Creation of its profile; default: a month earlier. */
  createdAt?: Date | undefined;
  extra?: IpnFields;
}

const monthMs = 30 * 86_400_000;

/** Messages of recurring profiles state no other time than that of their profile. */
export const eventFields = (
  { type, reference, at, createdAt = new Date(at.getTime() - monthMs), extra = {} }: WalletEvent,
  receiver: string,
): IpnFields => ({
  txn_type: type,
  ...(type.startsWith('recurring_')
    ? { recurring_payment_id: reference, time_created: pacificTime(createdAt) }
    : { subscr_id: reference, subscr_date: pacificTime(at) }),
  ...person,
  business: receiver,
  receiver_email: receiver,
  charset: 'windows-1252',
  notify_version: '3.9',
  ipn_track_id: `track-${at.getTime()}`,
  ...extra,
});

export interface WalletReturn {
  transactionId: string;
  parentId: string;
  reference: string | null;
  /** Positive. */
  total: string;
  currency: string;
  at: Date;
  /** `Refunded`, `Partially_Refunded`, `Reversed` or `Canceled_Reversal`. */
  status: string;
}

export const returnFields = (back: WalletReturn, receiver: string): IpnFields => ({
  ...(back.reference === null ? {} : { subscr_id: back.reference }),
  ...person,
  mc_gross: back.status === 'Canceled_Reversal' ? back.total : `-${back.total}`,
  mc_currency: back.currency,
  payment_type: 'instant',
  payment_status: back.status,
  reason_code: 'refund',
  payment_date: pacificTime(back.at),
  txn_id: back.transactionId,
  parent_txn_id: back.parentId,
  business: receiver,
  receiver_email: receiver,
  charset: 'windows-1252',
  notify_version: '3.9',
});
