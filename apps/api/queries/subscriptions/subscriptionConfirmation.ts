import { z } from 'zod';
import { idField, requiredTextField } from '#domain/fields/index.ts';
import { changeActions } from '#domain/subscriptions/actions.ts';
import { toMajor } from '#domain/subscriptions/money.ts';
import { addSeconds, wireTime } from '#domain/time.ts';
import { planned } from '#commands/subscriptions/change.ts';
import { confirmationSeconds, confirmationToken, issueTime } from '#store/auth/confirmations.ts';
import { defineQuery } from '../../define.ts';
import { changeErrors, checkoutErrors, ownOf, planErrors } from './common/subscriptions.ts';

const { MISSING_FIELD: _, ...errors } = changeErrors;
const { PLAN_CHANGE_REFUSED: __, ...terms } = planErrors;

export default defineQuery({
  name: 'subscriptionConfirmation',
  spec: ['4.8'],
  summary:
    'The confirmation token for a signed action, for a client without the safety code; for a plan change, with its cost.',
  devKey: { subscription: 'FULL' },
  errors: { ...errors, ...terms, PRODUCT_NOT_FOUND: checkoutErrors.PRODUCT_NOT_FOUND },
  input: z.strictObject({
    action: z.enum(changeActions, 'INVALID_FIELD'),
    subscriptionId: idField().nullish(),
    targetPcode: requiredTextField(100).optional(),
  }),
  output: z.strictObject({
    confirmation_token: z.string(),
    expiresAt: z.string(),
    /** Effects of a plan change if confirmed now. */
    preview: z
      .strictObject({
        kind: z.enum(['upgrade', 'downgrade']),
        charge: z.number(),
        credit: z.number(),
        currency: z.string(),
        paidUntil: z.string(),
        calculationsLeft: z.int(),
      })
      .optional(),
  }),
  example: { action: 'pause_subscription', subscriptionId: 1 },
  handler: async (ctx) => {
    const { action, subscriptionId = null, targetPcode } = ctx.input;
    const { userId } = ctx.caller;
    // Administrators may refund payments of other users.
    const isOwn =
      subscriptionId !== null && (action !== 'request_refund' || ctx.caller.vaAdmin?.scope !== 'FULL');
    const found = isOwn ? await ownOf(ctx, subscriptionId) : null;
    const at = issueTime(ctx.now, ctx.caller);
    const [safetyCode = ''] = ctx.config.SAFETY_CODE;
    const answer = {
      confirmation_token: confirmationToken(safetyCode, { action, subscriptionId, userId }, at),
      expiresAt: wireTime(addSeconds(at, confirmationSeconds)),
    };
    if (action !== 'change_plan' || targetPcode === undefined || !found) return answer;
    const plan = await planned(ctx.db, ctx, { subscription: found, targetCode: targetPcode });
    const { kind, chargeMinor, creditMinor, currency, endsAt } = plan.terms;
    return {
      ...answer,
      preview: {
        kind,
        charge: toMajor(chargeMinor, currency),
        credit: toMajor(creditMinor, currency),
        currency,
        paidUntil: wireTime(endsAt),
        calculationsLeft: plan.calculationsLeft,
      },
    };
  },
});
