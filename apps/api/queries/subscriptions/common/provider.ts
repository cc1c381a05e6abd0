import { capabilities, kindOfGateway } from '#domain/subscriptions/gateway.ts';
import type { Gateway, GatewayCapabilities } from '#domain/subscriptions/gateway.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import type { Tools } from '../../../handler-context.ts';

export interface Provider {
  gateway: Gateway | null;
  can: GatewayCapabilities | null;
  manageUrl: string | null;
}

/** The gateway of a subscription; all null for a grant by the operator. */
export const providerOf = (
  { gateways }: Pick<Tools, 'gateways'>,
  { gateway: code }: Pick<SubscriptionRecord, 'gateway'>,
): Provider => {
  const kind = kindOfGateway(code);
  if (!kind) return { gateway: null, can: null, manageUrl: null };
  return { gateway: gateways[kind], can: capabilities[kind], manageUrl: gateways[kind].manageUrl };
};
