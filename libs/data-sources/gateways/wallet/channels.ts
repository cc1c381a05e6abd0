/** Common form of both wallet gateway interfaces, for changing and reading subscriptions. */
import { z } from 'zod';
import { GatewayError } from '#domain/subscriptions/gateway.ts';
import type { CallOptions, LiveSubscription } from '#domain/subscriptions/gateway.ts';
import type { GatewayStatus } from '#domain/subscriptions/entitlement.ts';
import type { Clock } from '#domain/time.ts';
import { parsed } from '../calls.ts';
import { nvp } from './nvp.ts';
import type { NvpParts } from './nvp.ts';
import type { WalletRest } from './rest.ts';

export type WalletVerb = 'pause' | 'resume' | 'cancel';

export interface Channel {
  /** False: this interface does not know the subscription. Throws `GatewayError`. */
  act: (verb: WalletVerb, reference: string, reason: string, options: CallOptions) => Promise<boolean>;
  /** Null: this interface does not know the subscription. Throws `GatewayError`. */
  read: (reference: string, options: CallOptions) => Promise<LiveSubscription | null>;
}

/** Longest reason that both interfaces accept. */
const maxReason = 128;

const statuses: Readonly<Record<string, GatewayStatus>> = {
  ACTIVE: 'Running',
  APPROVED: 'Running',
  APPROVAL_PENDING: 'Running',
  PENDING: 'Running',
  SUSPENDED: 'paused',
  CANCELLED: 'Cancelled',
  EXPIRED: 'Expired',
};

const timeOf = (text: string | null | undefined): Date | null => {
  const at = new Date(text ?? '');
  return Number.isNaN(at.getTime()) ? null : at;
};

/** Reports no paid end, as it follows from the payments. */
const liveOf = (
  reference: string,
  { status, nextBillingAt }: { status: string; nextBillingAt: string | null | undefined },
  clock: Clock,
): LiveSubscription => {
  // Older profiles report `ActiveProfile`.
  const known = statuses[status.toUpperCase().replace(/PROFILE$/, '')];
  if (!known) throw new GatewayError('unknown', `The wallet gateway has an unknown status: ${status}.`);
  const isCharged = known === 'Running';
  return {
    status: known,
    price: null,
    notice: {
      reference,
      occurredAt: clock.now(),
      what: 'The state at the wallet gateway.',
      set: {
        ...(known === 'Expired' ? {} : { intent: known }),
        autoRenew: isCharged || known === 'paused',
        nextBillingAt: isCharged ? timeOf(nextBillingAt) : null,
      },
      payments: [],
    },
  };
};

const nvpActions = { pause: 'Suspend', resume: 'Reactivate', cancel: 'Cancel' } as const;

export const nvpChannel = (parts: NvpParts, clock: Clock): Channel => ({
  act: async (verb, reference, reason, options) => {
    const fields = { PROFILEID: reference, ACTION: nvpActions[verb], NOTE: reason.slice(0, maxReason) };
    return (await nvp(parts, 'ManageRecurringPaymentsProfileStatus', fields, options)) !== null;
  },
  read: async (reference, options) => {
    const found = await nvp(parts, 'GetRecurringPaymentsProfileDetails', { PROFILEID: reference }, options);
    return (
      found &&
      liveOf(
        reference,
        { status: found.get('STATUS') ?? '', nextBillingAt: found.get('NEXTBILLINGDATE') },
        clock,
      )
    );
  },
});

const restVerbs = { pause: 'suspend', resume: 'activate', cancel: 'cancel' } as const;

const subscriptionSchema = z.object({
  status: z.string(),
  billing_info: z.object({ next_billing_time: z.string().nullish() }).nullish(),
});

const path = (reference: string): string => `/v1/billing/subscriptions/${encodeURIComponent(reference)}`;

export const restChannel = (rest: WalletRest, clock: Clock): Channel => ({
  act: async (verb, reference, reason, options) => {
    const body = { reason: reason.slice(0, maxReason) };
    const request = { method: 'POST' as const, path: `${path(reference)}/${restVerbs[verb]}`, body };
    return (await rest(request, options)) !== null;
  },
  read: async (reference, options) => {
    const answer = await rest({ path: path(reference) }, options);
    if (answer === null) return null;
    const { status, billing_info: info } = parsed(subscriptionSchema, answer, 'wallet');
    return liveOf(reference, { status, nextBillingAt: info?.next_billing_time }, clock);
  },
});
