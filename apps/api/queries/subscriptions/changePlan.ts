import { z } from 'zod';
import { changePlan } from '#commands/subscriptions/change.ts';
import type { PlannedChange } from '#commands/subscriptions/change.ts';
import { idField, requiredTextField } from '#domain/fields/index.ts';
import { amountText } from '#domain/subscriptions/money.ts';
import { wireTime } from '#domain/time.ts';
import { defineAction } from '../../define-action.ts';
import { defineQuery } from '../../define.ts';
import { changeErrors, checkoutErrors, planErrors, tryOrder } from './common/subscriptions.ts';

export default defineQuery({
  name: 'changePlan',
  spec: ['4.8'],
  summary: 'Currently unavailable here; the signed action change_plan changes the plan.',
  devKey: { subscription: 'FULL' },
  errors: {
    CHANGE_PLAN_UNAVAILABLE: {
      status: 422,
      message: 'Changing the plan is currently unavailable on this endpoint.',
    },
  },
  input: z.strictObject({
    subscriptionId: idField().optional(),
    targetPcode: requiredTextField(100).optional(),
  }),
  output: z.never(),
  handler: ({ fail }) => Promise.reject(fail('CHANGE_PLAN_UNAVAILABLE')),
});

const noteOf = ({ target, terms, calculationsLeft }: PlannedChange): string => {
  const until = wireTime(terms.endsAt);
  const money = (minor: number) => `${amountText(minor, terms.currency)} ${terms.currency}`;
  const left = `Calculations left then: ${calculationsLeft}.`;
  if (terms.kind === 'upgrade') {
    const credit = money(terms.creditMinor);
    return `Upgrade to ${target.title}: ${money(terms.chargeMinor)} are charged now (${credit} of the current plan are credited), paid until ${until}. ${left}`;
  }
  return `Downgrade to ${target.title}: nothing is charged, the remaining value is paid until ${until}. ${left}`;
};

export const action = defineAction({
  name: 'change_plan',
  spec: ['2.10', '4.8'],
  summary: 'Changes the plan: a higher one is charged at once by the gateway, a lower one lasts longer.',
  changesState: true,
  errors: { ...changeErrors, ...planErrors, PRODUCT_NOT_FOUND: checkoutErrors.PRODUCT_NOT_FOUND },
  input: z.strictObject({ subscription_id: idField(), target_pcode: requiredTextField(100) }),
  output: z.strictObject({
    subscription_id: z.int(),
    previous_pcode: z.string(),
    new_pcode: z.string(),
    note: z.string(),
    gateway_warning: z.string().optional(),
  }),
  // The gateway is called after the commit.
  tx: 'manual',
  handler: async (ctx) => {
    const { subscription_id: id, target_pcode: targetCode } = ctx.input;
    const { userId } = ctx.caller;
    const changed = await ctx.transaction((tx) => changePlan(tx, ctx, { id, userId, targetCode }));
    const { warning, isRefused, reason } = await tryOrder(ctx, changed.orderId);
    const isUpgrade = changed.terms.kind === 'upgrade';
    if (isUpgrade && isRefused) throw ctx.fail('PLAN_CHANGE_REFUSED', { extra: { reason } });
    const pending = isUpgrade && warning !== null ? ' It takes effect when the gateway has charged it.' : '';
    return {
      subscription_id: id,
      previous_pcode: changed.previousCode,
      new_pcode: changed.target.code,
      note: noteOf(changed) + pending,
      ...(warning === null ? {} : { gateway_warning: warning }),
    };
  },
});
