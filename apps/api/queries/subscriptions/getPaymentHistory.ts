import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { idField, pageFields } from '#domain/fields/index.ts';
import { knownPayments } from '#domain/subscriptions/compared.ts';
import { GatewayError, kindOfGateway } from '#domain/subscriptions/gateway.ts';
import type { NoticePayment } from '#domain/subscriptions/notice.ts';
import { toMajor } from '#domain/subscriptions/money.ts';
import { isReturned } from '#domain/subscriptions/notice.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import { wireTime } from '#domain/time.ts';
import type { Caller } from '#domain/users/types.ts';
import type { ReadDb } from '#store/postgres/sql.ts';
import { paymentRepo } from '#store/postgres/subscriptions/ledger.ts';
import type { PaymentRow } from '#store/postgres/subscriptions/ledger.ts';
import { subscriptionRecordRepo } from '#store/postgres/subscriptions/records.ts';
import { defineAction } from '../../define-action.ts';
import { defineQuery } from '../../define.ts';
import type { Tools } from '../../handler-context.ts';
import { inputErrors } from './common/subscriptions.ts';

/** Postgres has no year 0. */
const hasYear = (date: string): boolean => !date.startsWith('0000');
const dateSchema = z.iso.date('INVALID_FIELD').refine(hasYear, 'INVALID_FIELD').optional();

const fields = {
  ...pageFields({ preset: 50, max: 100 }),
  from: dateSchema,
  to: dateSchema,
};
const outputSchema = z.strictObject({
  message: z.string(),
  user_id: z.int(),
  payments: z.array(
    z.strictObject({
      id: z.int(),
      subscription_id: z.int(),
      amount: z.number(),
      currency: z.string(),
      payment_method: z.string().nullable(),
      payment_date: z.string(),
      status: z.enum(['PENDING', 'COMPLETED', 'FAILED', 'REFUNDED', 'REVERSED']),
      transaction_id: z.string(),
      gateway: z.string(),
    }),
  ),
  total_count: z.int(),
  limit: z.int(),
  offset: z.int(),
  has_more: z.boolean(),
});

interface HistoryCall extends Pick<Tools, 'gateways'> {
  db: ReadDb;
  caller: Pick<Caller, 'userId'>;
}

type HistoryRequest = z.output<z.ZodObject<typeof fields>> & { subscriptionId?: number | undefined };

/** Short, since the caller waits. */
const timeoutMs = 3_000;

const isCard = ({ gateway, reference }: SubscriptionRecord): boolean =>
  kindOfGateway(gateway) === 'card' && reference !== null;

/**
 * The gateway's own orders, for subscriptions whose earlier orders were not reported; null if it does not
 * answer.
 */
const liveOf = async (
  { gateways }: HistoryCall,
  { id, reference }: SubscriptionRecord,
  rows: readonly PaymentRow[],
): Promise<NoticePayment[] | null> => {
  const stored = rows.filter(({ kind, subscriptionId }) => kind === 'payment' && subscriptionId === id);
  const known = knownPayments(stored.map(({ transactionId, status }) => [transactionId, status]));
  try {
    return await gateways.card.payments(reference ?? '', { timeoutMs, known });
  } catch (error) {
    // The answer uses stored payments and says so.
    if (error instanceof GatewayError) return null;
    throw error;
  }
};

/** Orders without a message have no number here; they get a stable negative one. */
const liveRow = (
  { id, gateway }: SubscriptionRecord,
  payment: NoticePayment,
  stored: PaymentRow | undefined,
): PaymentRow => {
  const { transactionId, kind } = payment;
  // A refund counts if either side reports it; otherwise the gateway's state is newer.
  if (stored) return isReturned(stored) ? stored : { ...stored, status: payment.status };
  return {
    ...payment,
    id: -crc32(`${kind} ${transactionId}`) - 1,
    subscriptionId: id,
    gateway: gateway ?? '',
  };
};

const keyOf = ({ kind, transactionId }: NoticePayment): string => `${kind} ${transactionId}`;

/** Live orders of card subscriptions; nothing is stored. */
const liveRows = async (
  call: HistoryCall,
  { subscriptionId }: HistoryRequest,
  rows: readonly PaymentRow[],
): Promise<{ message: string; live: PaymentRow[] }> => {
  const all = await subscriptionRecordRepo(call.db).ofUser(call.caller.userId);
  const asked = all.filter(
    (one) => isCard(one) && (subscriptionId === undefined || one.id === subscriptionId),
  );
  if (asked.length === 0) return { message: 'Payments as reported by the gateways.', live: [] };
  const found = await Promise.all(
    asked.map(async (one) => ({ one, payments: await liveOf(call, one, rows) })),
  );
  const live = found.flatMap(({ one, payments }) =>
    (payments ?? []).map((payment) =>
      liveRow(
        one,
        payment,
        rows.find((row) => keyOf(row) === keyOf(payment)),
      ),
    ),
  );
  const message = found.every(({ payments }) => payments !== null)
    ? 'Payments with live orders of the card gateway.'
    : 'The card gateway does not answer; these are the payments that it has reported.';
  return { message, live };
};

const historyOf = async (
  call: HistoryCall,
  request: HistoryRequest,
): Promise<z.output<typeof outputSchema>> => {
  const { limit, offset, from = '', to = '9999-12-31' } = request;
  const stored = await paymentRepo(call.db).ofUser(call.caller.userId, request.subscriptionId);
  const { message, live } = await liveRows(call, request, stored);
  const shown = new Set(live.map(keyOf));
  const matching = [...live, ...stored.filter((row) => !shown.has(keyOf(row)))]
    .filter(({ paidAt }) => {
      const day = paidAt.toISOString().slice(0, 10);
      return day >= from && day <= to;
    })
    .toSorted((a, b) => b.paidAt.getTime() - a.paidAt.getTime() || b.id - a.id);
  const total = matching.length;
  const rows = matching.slice(offset, offset + limit);
  return {
    message,
    user_id: call.caller.userId,
    payments: rows.map((row) => ({
      id: row.id,
      subscription_id: row.subscriptionId,
      amount: toMajor(row.amountMinor, row.currency),
      currency: row.currency,
      payment_method: row.method,
      payment_date: wireTime(row.paidAt),
      status: row.status,
      transaction_id: row.transactionId,
      gateway: row.gateway,
    })),
    total_count: total,
    limit,
    offset,
    has_more: offset + rows.length < total,
  };
};

const history = {
  spec: ['2.10', '4.8'],
  summary: "The user's payments and refunds, newest first, including live orders of card subscriptions.",
  errors: { INVALID_FIELD: inputErrors.INVALID_FIELD },
  output: outputSchema,
} as const;

export default defineQuery({
  name: 'getPaymentHistory',
  ...history,
  devKey: { subscription: 'READ' },
  input: z.strictObject({ ...fields, subscriptionId: idField().optional() }),
  example: { limit: 10 },
  handler: (ctx) => historyOf(ctx, ctx.input),
});

export const action = defineAction({
  name: 'payment_history',
  ...history,
  changesState: false,
  input: z.strictObject({ ...fields, subscription_id: idField().optional() }),
  handler: (ctx) => {
    const { subscription_id: subscriptionId, ...others } = ctx.input;
    return historyOf(ctx, { ...others, subscriptionId });
  },
});
