/** Changes at the wallet gateway: by the legacy interface first, then by REST. */
import { GatewayError } from '#domain/subscriptions/gateway.ts';
import type { CallOptions, GatewayChange, LiveSubscription } from '#domain/subscriptions/gateway.ts';
import type { GatewayStatus } from '#domain/subscriptions/entitlement.ts';
import type { Channel, WalletVerb } from './channels.ts';

/** States in which a change has already taken effect. */
const targets: Readonly<Record<WalletVerb, readonly GatewayStatus[]>> = {
  pause: ['paused'],
  resume: ['Running'],
  cancel: ['Cancelled', 'Expired'],
};

const isVerb = (verb: string): verb is WalletVerb => Object.hasOwn(targets, verb);

/** Divides the time limit, since a change, its status, and the change on the other interface may follow each other. */
const share = (options: CallOptions): CallOptions => ({
  ...options,
  timeoutMs: Math.ceil(options.timeoutMs / 3),
});

const ofGateway = (error: unknown): GatewayError => {
  if (error instanceof GatewayError) return error;
  throw error;
};

/** Status from each interface that answers. */
const statusesAt = async (
  channels: readonly Channel[],
  reference: string,
  options: CallOptions,
): Promise<GatewayStatus[]> => {
  const found = await Promise.all(
    channels.map((channel) =>
      channel.read(reference, options).catch((error: unknown) => {
        // An interface without an answer says nothing about the status.
        ofGateway(error);
        return null;
      }),
    ),
  );
  return found.flatMap((live) => (live ? [live.status] : []));
};

/**
 * Tries the next interface only if nothing can have been done: the subscription is unknown to this one, or it was not
 * reached. After an unknown outcome the status decides. Throws `GatewayError`.
 */
export const changeAtWallet = async (
  channels: readonly Channel[],
  { verb, reference, reason = 'Requested by the customer' }: GatewayChange,
  given: CallOptions,
): Promise<void> => {
  if (!isVerb(verb)) throw new GatewayError('refused', `The wallet gateway cannot do: ${verb}.`);
  const options = share(given);
  let last: GatewayError | null = null;
  for (const channel of channels) {
    try {
      if (await channel.act(verb, reference, reason, options)) return;
    } catch (error) {
      last = ofGateway(error);
      if (last.outcome === 'unavailable') continue;
      const found = await statusesAt(last.outcome === 'refused' ? [channel] : channels, reference, options);
      if (found.some((status) => targets[verb].includes(status))) return;
      if (last.outcome === 'refused' || found.length === 0) throw last;
    }
  }
  throw last ?? new GatewayError('refused', 'The wallet gateway does not know the subscription.');
};

/** Reads from the first interface that knows the subscription. Throws `GatewayError` if that remains unknown. */
export const readAtWallet = async (
  channels: readonly Channel[],
  reference: string,
  given: CallOptions,
): Promise<LiveSubscription | null> => {
  const options = share(given);
  let last: GatewayError | null = null;
  for (const channel of channels) {
    try {
      const found = await channel.read(reference, options);
      if (found) return found;
    } catch (error) {
      last = ofGateway(error);
    }
  }
  if (last) throw last;
  return null;
};
