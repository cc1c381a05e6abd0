import { z } from 'zod';
import { idField, optionalTextField } from '#domain/fields/index.ts';
import { gatewayCodes } from '#domain/subscriptions/gateway.ts';
import { defineQuery } from '../../define.ts';
import { stateChangeLimit } from '../../limits.ts';
import { changeNow, queryChange, queryChangeSchema } from './common/change.ts';
import { changeErrors, notSupported, ownOf } from './common/subscriptions.ts';

export default defineQuery({
  name: 'cancelSubscription',
  spec: ['3', '4.8'],
  summary: 'Ends the renewal for good; access remains until the paid end.',
  auth: 'jwt',
  devKey: { subscription: 'FULL' },
  limits: [stateChangeLimit],
  dialect: 'flat',
  errors: {
    ...changeErrors,
    STORE_NOT_SUPPORTED: {
      ...notSupported,
      message: 'A subscription of the app store can only be cancelled in the app store.',
    },
  },
  input: z.object({ subscriptionId: idField(), reason: optionalTextField(500) }),
  output: queryChangeSchema,
  // The gateway is called after the commit.
  tx: 'manual',
  example: { subscriptionId: 1 },
  handler: async (ctx) => {
    const { subscriptionId: id, reason } = ctx.input;
    if ((await ownOf(ctx, id)).gateway === gatewayCodes.store)
      throw ctx.fail('STORE_NOT_SUPPORTED', { extra: { manage_url: ctx.gateways.store.manageUrl } });
    return queryChange(await changeNow(ctx, { id, verb: 'cancel', reason: reason ?? undefined }));
  },
});
