/**
 * The state machine of a subscription. Gateways use the words of `GatewayStatus`, objects those of `SubscriptionStatus`
 * derived from it and the paid period (`statusOf`).
 */
import { DomainError } from '../errors.ts';
import { statusOf } from './entitlement.ts';
import type { PaidPeriod, SubscriptionStatus } from './entitlement.ts';
import { canStillBeCharged } from './agreement.ts';
import type { Chargeable } from './agreement.ts';
import { stops, transitions } from './orders.ts';
import type { ChangeVerb, Transition } from './orders.ts';

const states: Readonly<Record<SubscriptionStatus, string>> = {
  ACTIVE: 'is active and not paused',
  ACTIVE_PAUSED: 'is already paused',
  PAUSED: 'is paused',
  EXPIRED: 'has expired',
  CANCELLED: 'has been cancelled',
};

/** True when the state allows the change; charging can be stopped in any state. */
export const allows = (subscription: PaidPeriod & Chargeable, verb: ChangeVerb, now: Date): boolean =>
  transitions[verb].from.includes(statusOf(subscription, now)) ||
  (stops(verb) && canStillBeCharged(subscription));

/** Throws INVALID_STATE with the reason if the state does not allow the change (M-3.5). */
export const assertAllows = (
  subscription: PaidPeriod & Chargeable,
  verb: ChangeVerb,
  now: Date,
): Transition => {
  if (allows(subscription, verb, now)) return transitions[verb];
  throw new DomainError('INVALID_STATE', {}, `The subscription ${states[statusOf(subscription, now)]}.`);
};
