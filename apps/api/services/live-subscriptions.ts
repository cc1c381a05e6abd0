import { LRUCache } from 'lru-cache';
import { GatewayError, isOffered, kindOfGateway } from '#domain/subscriptions/gateway.ts';
import type { LiveSubscription } from '#domain/subscriptions/gateway.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import type { Context } from '#data/context.ts';

/** Null, with a warning, when the gateway does not answer. */
interface LiveAnswer {
  live: LiveSubscription | null;
  warning: string | null;
}

/** For all requests of one answer together. */
const timeoutMs = 3_000;
const keptMs = 60_000;

export const createLiveSubscriptions = ({ gateways, clock }: Pick<Context, 'gateways' | 'clock'>) => {
  const kept = new LRUCache<number, Promise<LiveAnswer>>({
    max: 10_000,
    ttl: keptMs,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
  });

  const ask = async ({ gateway, reference, currency, product }: SubscriptionRecord): Promise<LiveAnswer> => {
    const kind = kindOfGateway(gateway);
    if (!kind || !isOffered(gateway, 'live') || reference === null) return { live: null, warning: null };
    const options = { timeoutMs, signal: AbortSignal.timeout(timeoutMs) };
    try {
      const live = await gateways[kind].read(reference, {
        ...options,
        currency: currency ?? product.currency,
      });
      return { live, warning: live ? null : 'The gateway does not know this subscription.' };
    } catch (error) {
      if (error instanceof GatewayError) return { live: null, warning: error.message };
      throw error;
    }
  };

  const now = (subscription: SubscriptionRecord): Promise<LiveAnswer> => {
    const answer = ask(subscription);
    kept.set(subscription.id, answer);
    return answer;
  };
  return {
    now,
    /** From the card gateway, which returns prices; its answer is cached for a minute, even a missing one. */
    recent: async (subscription: SubscriptionRecord): Promise<LiveAnswer> =>
      kindOfGateway(subscription.gateway) === 'card'
        ? (kept.get(subscription.id) ?? now(subscription))
        : { live: null, warning: null },
  };
};
