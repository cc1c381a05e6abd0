import { z } from 'zod';
import { idField, requiredTextField } from '#domain/fields/index.ts';
import { DomainError } from '#domain/errors.ts';
import { GatewayError, gatewayFor } from '#domain/subscriptions/gateway.ts';
import { subscriptionRecordRepo } from '#store/postgres/subscriptions/records.ts';
import { endRefund, reserveRefund } from '#commands/subscriptions/refund.ts';
import { defineAction } from '../../define-action.ts';
import { commonError } from '../../errors.ts';
import {
  inputErrors,
  notSupported,
  subscriptionNotFound,
} from '../../queries/subscriptions/common/subscriptions.ts';

const timeoutMs = 8_000;

export default defineAction({
  name: 'request_refund',
  spec: ['4.8'],
  summary: 'Refunds the last payment, or part of it; for administrators with the full scope.',
  changesState: true,
  errors: {
    ...inputErrors,
    SUBSCRIPTION_NOT_FOUND: subscriptionNotFound,
    OPERATION_NOT_SUPPORTED: notSupported,
    FORBIDDEN: { status: 403, message: 'Only an administrator can refund payments.' },
    NOTHING_TO_REFUND: {
      status: 409,
      message: 'The amount exceeds what can still be refunded of the last payment.',
    },
  },
  input: z.strictObject({
    subscription_id: idField(),
    amount: z
      .union([z.number(), z.string().max(12)], 'INVALID_FIELD')
      .transform(String)
      .pipe(z.string().regex(/^\d{1,9}(?:\.\d{1,2})?$/, 'INVALID_FIELD'))
      .optional(),
    reason: requiredTextField(200),
  }),
  output: z.strictObject({ refund_id: z.string(), status: z.string() }),
  // The gateway is called between two transactions.
  tx: 'manual',
  handler: async (ctx) => {
    const { subscription_id: id, amount, reason } = ctx.input;
    const { caller, db, fail } = ctx;
    const isAdmin = caller.vaAdmin?.scope === 'FULL';
    const found = await subscriptionRecordRepo(db).byId(id);
    if (!found || (!isAdmin && found.userId !== caller.userId)) throw fail('SUBSCRIPTION_NOT_FOUND');
    const gateway = ctx.gateways[gatewayFor(found.gateway, 'refund')];
    if (!isAdmin) throw fail('FORBIDDEN');
    const asked = {
      subscriptionId: id,
      amount,
      shownAt: ctx.confirmedAt,
      reason,
      requestedBy: caller.userId,
    };
    const reserved = await ctx
      .transaction((tx) => reserveRefund(tx, ctx, asked))
      .catch((error: unknown) => {
        if (!(error instanceof DomainError) || error.code !== 'CHANGED_MEANWHILE') throw error;
        throw commonError('CONFIRMATION_EXPIRED', {
          message: 'The refundable amount has changed since this was confirmed. Check it again.',
        });
      });
    const end = (state: 'accepted' | 'refused' | 'unknown', refundId: string | null) =>
      ctx.transaction((tx) => endRefund(tx, ctx, { request: reserved, state, refundId }));
    try {
      const { refundId, status } = await gateway.refund(reserved, { timeoutMs });
      await end('accepted', refundId);
      return { refund_id: refundId, status };
    } catch (error) {
      if (error instanceof GatewayError) await end(error.outcome === 'unknown' ? 'unknown' : 'refused', null);
      throw error;
    }
  },
});
