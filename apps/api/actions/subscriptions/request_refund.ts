import { z } from 'zod';
import { idField, requiredTextField } from '#domain/fields/index.ts';
import { toMinor } from '#domain/subscriptions/money.ts';
import { paymentRepo } from '#data/postgres/subscriptions/payments.ts';
import { subscriptionRecordRepo } from '#data/postgres/subscriptions/records.ts';
import { noteRefund } from '#commands/subscriptions/note-refund.ts';
import { defineAction } from '../../define-action.ts';
import { inputErrors, notSupported, subscriptionNotFound } from '../../subscriptions/errors.ts';
import { providerOf } from '../../subscriptions/provider.ts';

const timeoutMs = 8_000;

export default defineAction({
  name: 'request_refund',
  spec: ['4.8'],
  summary: 'Refunds the last payment, or part of it; for administrators with the full scope.',
  method: 'POST',
  changesState: true,
  errors: {
    ...inputErrors,
    SUBSCRIPTION_NOT_FOUND: subscriptionNotFound,
    OPERATION_NOT_SUPPORTED: notSupported,
    FORBIDDEN: { status: 403, message: 'Only an administrator can refund payments.' },
    NOTHING_TO_REFUND: { status: 409, message: 'There is no payment of this amount to refund.' },
  },
  input: z.object({
    subscription_id: idField(),
    amount: z
      .union([z.number(), z.string()], 'INVALID_FIELD')
      .transform(String)
      .pipe(z.string().regex(/^\d{1,9}(?:\.\d{1,2})?$/, 'INVALID_FIELD'))
      .optional(),
    reason: requiredTextField(200),
  }),
  output: z.strictObject({ refund_id: z.string(), status: z.string() }),
  tx: 'manual',
  handler: async (ctx) => {
    const { subscription_id: id, amount, reason } = ctx.input;
    const { caller, db, fail } = ctx;
    const isAdmin = caller.vaAdmin?.scope === 'FULL';
    const found = await subscriptionRecordRepo(db).byId(id);
    if (!found || (!isAdmin && found.userId !== caller.userId)) throw fail('SUBSCRIPTION_NOT_FOUND');
    const { gateway, can, manageUrl } = providerOf(ctx, found);
    if (!gateway || !can?.refund) throw fail('OPERATION_NOT_SUPPORTED', { extra: { manage_url: manageUrl } });
    if (!isAdmin) throw fail('FORBIDDEN');
    const payment = await paymentRepo(db).latest(id);
    const amountMinor =
      amount === undefined ? payment?.amountMinor : toMinor(amount, payment?.currency ?? 'EUR');
    if (!payment || !amountMinor || amountMinor > payment.amountMinor) throw fail('NOTHING_TO_REFUND');
    const { transactionId, currency } = payment;
    const request = { transactionId, amountMinor, currency, reason };
    const { refundId, status } = await gateway.refund(request, { timeoutMs });
    await ctx.transaction((tx) => noteRefund(tx, ctx, { id, refundId, amountMinor, currency }));
    return { refund_id: refundId, status };
  },
});
