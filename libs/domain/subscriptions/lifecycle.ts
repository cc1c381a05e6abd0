/**
 * The state machine of a subscription. Gateways have the words of `GatewayStatus`, objects those of
 * `SubscriptionStatus`, which follows from the word and the paid period (`statusOf`).
 */
import { DomainError } from '../errors.ts';
import { statusOf } from './entitlement.ts';
import type { GatewayStatus, SubscriptionStatus } from './entitlement.ts';
import type { Intent } from './notice.ts';

/** Changes that a user requests. */
export type ChangeVerb = 'pause' | 'resume' | 'cancel' | 'renewalOn' | 'renewalOff' | 'changePlan';

interface Transition {
  from: readonly SubscriptionStatus[];
  /** Absent: the status is unchanged. */
  to?: Intent;
  /** The automatic renewal afterwards; absent: unchanged. */
  autoRenew?: boolean;
}

export const transitions: Readonly<Record<ChangeVerb, Transition>> = {
  pause: { from: ['ACTIVE'], to: 'paused' },
  resume: { from: ['ACTIVE_PAUSED', 'PAUSED'], to: 'Running' },
  cancel: { from: ['ACTIVE', 'ACTIVE_PAUSED', 'PAUSED'], to: 'Cancelled', autoRenew: false },
  renewalOn: { from: ['ACTIVE', 'ACTIVE_PAUSED'], autoRenew: true },
  renewalOff: { from: ['ACTIVE', 'ACTIVE_PAUSED'], autoRenew: false },
  changePlan: { from: ['ACTIVE'] },
};

const states: Readonly<Record<SubscriptionStatus, string>> = {
  ACTIVE: 'is active and not paused',
  ACTIVE_PAUSED: 'is already paused',
  PAUSED: 'is paused',
  EXPIRED: 'has expired',
  CANCELLED: 'has been cancelled',
};

interface Dated {
  gatewayStatus: GatewayStatus;
  startsAt: Date;
  endsAt: Date;
}

/** True when the state allows the change. */
export const allows = (subscription: Dated, verb: ChangeVerb, now: Date): boolean =>
  transitions[verb].from.includes(statusOf(subscription, now));

/** Throws INVALID_STATE with the reason when the state does not allow the change (M-3.5). */
export const assertAllows = (subscription: Dated, verb: ChangeVerb, now: Date): Transition => {
  if (allows(subscription, verb, now)) return transitions[verb];
  throw new DomainError('INVALID_STATE', {}, `The subscription ${states[statusOf(subscription, now)]}.`);
};
