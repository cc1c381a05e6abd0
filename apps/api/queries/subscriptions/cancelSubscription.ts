import { z } from 'zod';
import { idField, optionalTextField } from '#domain/fields/index.ts';
import { gatewayCodes, manageUrls } from '#domain/subscriptions/gateway.ts';
import { defineAction } from '../../define-action.ts';
import { defineQuery } from '../../define.ts';
import { stateChangeLimit } from '../../limits.ts';
import {
  changeErrors,
  changeNow,
  notSupported,
  ownOf,
  queryChange,
  queryChangeSchema,
  signedChange,
  signedChangeSchema,
} from './common/subscriptions.ts';

const cancellation = {
  spec: ['3', '4.8'],
  summary: 'Permanently cancels the renewal; access lasts until the end of the paid period.',
  // The gateway is called after the commit.
  tx: 'manual',
} as const;
const reason = optionalTextField(500);

export default defineQuery({
  name: 'cancelSubscription',
  ...cancellation,
  devKey: { subscription: 'FULL' },
  limits: [stateChangeLimit],
  errors: {
    ...changeErrors,
    STORE_NOT_SUPPORTED: {
      ...notSupported,
      message: 'A subscription of the app store can only be cancelled in the app store.',
    },
  },
  input: z.strictObject({ subscriptionId: idField(), reason }),
  output: queryChangeSchema,
  example: { subscriptionId: 1 },
  handler: async (ctx) => {
    const { subscriptionId: id, reason: given } = ctx.input;
    if ((await ownOf(ctx, id)).gateway === gatewayCodes.store)
      throw ctx.fail('STORE_NOT_SUPPORTED', { extra: { manage_url: manageUrls.store } });
    return queryChange(await changeNow(ctx, { id, verb: 'cancel', reason: given ?? undefined }));
  },
});

export const action = defineAction({
  name: 'cancel_subscription',
  ...cancellation,
  changesState: true,
  errors: changeErrors,
  input: z.strictObject({ subscription_id: idField(), reason }),
  output: signedChangeSchema,
  handler: async (ctx) => {
    const { subscription_id: id, reason: given } = ctx.input;
    return signedChange(await changeNow(ctx, { id, verb: 'cancel', reason: given ?? undefined }));
  },
});
