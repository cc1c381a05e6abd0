import { z } from 'zod';
import { idField, requiredTextField } from '#domain/fields/index.ts';
import { changeActions } from '#domain/subscriptions/actions.ts';
import { toMajor } from '#domain/subscriptions/money.ts';
import { addSeconds, wireTime } from '#domain/time.ts';
import { planned } from '#commands/subscriptions/change.ts';
import {
  checkConfirmation,
  confirmationSeconds,
  confirmationToken,
  issueTime,
  confirmationRepo,
} from '#store/auth/confirmations.ts';
import type { Caller } from '#domain/users/types.ts';
import type { Confirmation } from '#store/auth/confirmations.ts';
import type { ReadDb } from '#store/postgres/sql.ts';
import { defineQuery } from '../../define.ts';
import { changeErrors, checkoutErrors, ownOf, planErrors } from './common/subscriptions.ts';

/** More than the changes allowed in this time. */
const maxBack = 10;

interface FreshToken {
  token: string;
  /** Time of issue, in whole seconds. */
  at: Date;
}

/** Tokens issued in the same second are equal, so after a used one the token of an earlier second is issued. */
const freshToken = async (
  db: ReadDb,
  safetyCodes: readonly string[],
  confirmation: Confirmation & Pick<Caller, 'credentialsFrom'>,
  now: Date,
): Promise<FreshToken> => {
  for (let back = 0; ; back += 1) {
    const at = addSeconds(issueTime(now, confirmation), -back);
    const token = confirmationToken(safetyCodes[0] ?? '', confirmation, at);
    const checked = checkConfirmation(safetyCodes, token, confirmation, now);
    const isUsed = checked.problem === null && (await confirmationRepo(db).isUsed(checked.tokenHash));
    // A token older than the last password change would be refused.
    if (!isUsed || back === maxBack || addSeconds(at, -1) < confirmation.credentialsFrom)
      return { token, at };
  }
};

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
    const { userId, credentialsFrom } = ctx.caller;
    // Administrators may refund payments of other users.
    const isOwn =
      subscriptionId !== null && (action !== 'request_refund' || ctx.caller.vaAdmin?.scope !== 'FULL');
    const found = isOwn ? await ownOf(ctx, subscriptionId) : null;
    const confirmation = { action, subscriptionId, userId, credentialsFrom };
    const { token, at } = await freshToken(ctx.db, ctx.config.SAFETY_CODE, confirmation, ctx.now);
    const answer = {
      confirmation_token: token,
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
