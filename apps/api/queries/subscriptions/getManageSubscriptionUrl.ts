import { z } from 'zod';
import { idField } from '#domain/fields/index.ts';
import { kindOfGateway, manageUrls } from '#domain/subscriptions/gateway.ts';
import { defineQuery } from '../../define.ts';
import { inputErrors, notSupported, ownOf, subscriptionNotFound } from './common/subscriptions.ts';

export default defineQuery({
  name: 'getManageSubscriptionUrl',
  spec: ['4.8'],
  summary: "The provider's page for managing the subscription.",
  devKey: { subscription: 'READ' },
  errors: {
    ...inputErrors,
    SUBSCRIPTION_NOT_FOUND: subscriptionNotFound,
    OPERATION_NOT_SUPPORTED: notSupported,
  },
  input: z.strictObject({ subscriptionId: idField() }),
  output: z.strictObject({ manageUrl: z.url() }),
  example: { subscriptionId: 1 },
  handler: async (ctx) => {
    const found = await ownOf(ctx, ctx.input.subscriptionId);
    const kind = kindOfGateway(found.gateway);
    if (kind === null) throw ctx.fail('OPERATION_NOT_SUPPORTED', { extra: { manage_url: null } });
    return { manageUrl: manageUrls[kind] };
  },
});
