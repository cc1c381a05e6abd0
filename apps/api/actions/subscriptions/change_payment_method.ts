import { z } from 'zod';
import { idField } from '#domain/fields/index.ts';
import { gatewayFor, manageUrls } from '#domain/subscriptions/gateway.ts';
import { defineAction } from '../../define-action.ts';
import {
  inputErrors,
  notSupported,
  ownOf,
  subscriptionNotFound,
} from '../../queries/subscriptions/common/subscriptions.ts';

const timeoutMs = 5_000;

export default defineAction({
  name: 'change_payment_method',
  spec: ['4.8'],
  summary: "A link to the card gateway's page for changing the payment method, valid for some minutes.",
  changesState: true,
  errors: {
    ...inputErrors,
    SUBSCRIPTION_NOT_FOUND: subscriptionNotFound,
    OPERATION_NOT_SUPPORTED: notSupported,
  },
  input: z.strictObject({ subscription_id: idField() }),
  output: z.strictObject({ update_url: z.url() }),
  // The link signs the customer in, so it must not be logged.
  isBodyLogged: false,
  handler: async (ctx) => {
    const found = await ownOf(ctx, ctx.input.subscription_id);
    const kind = gatewayFor(found.gateway, 'changePaymentMethod');
    if (found.reference === null)
      throw ctx.fail('OPERATION_NOT_SUPPORTED', { extra: { manage_url: manageUrls[kind] } });
    const email = found.subscriberEmail ?? found.accountEmail;
    return { update_url: await ctx.gateways[kind].paymentMethodUrl(found.reference, email, { timeoutMs }) };
  },
});
