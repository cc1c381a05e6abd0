import { capabilities, GatewayError, kindOfGateway } from '#domain/subscriptions/gateway.ts';
import type { LiveSubscription } from '#domain/subscriptions/gateway.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import type { Tools } from '../../../handler-context.ts';

const timeoutMs = 3_000;

/** What the gateway says now; null, with a warning, when it does not say anything. */
export const liveOf = async (
  { gateways }: Pick<Tools, 'gateways'>,
  { gateway, reference, currency, product }: SubscriptionRecord,
): Promise<{ live: LiveSubscription | null; warning: string | null }> => {
  const kind = kindOfGateway(gateway);
  if (!kind || !capabilities[kind].live || reference === null) return { live: null, warning: null };
  try {
    const live = await gateways[kind].read(reference, { timeoutMs, currency: currency ?? product.currency });
    return { live, warning: live ? null : 'The gateway does not know this subscription.' };
  } catch (error) {
    if (error instanceof GatewayError) return { live: null, warning: error.message };
    throw error;
  }
};
