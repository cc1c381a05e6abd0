/** Orders to a gateway, and their effect on a subscription. */
import type { SubscriptionStatus } from './entitlement.ts';
import type { Intent } from './notice.ts';

/** Changes that a user requests. */
export type ChangeVerb = 'pause' | 'resume' | 'cancel' | 'renewalOn' | 'renewalOff' | 'changePlan';

/** `extend`: moves the paid end, after a purchase with carried days or a plan change without a charge. */
export type GatewayVerb = ChangeVerb | 'extend';

export interface Transition {
  from: readonly SubscriptionStatus[];
  /** Absent: status unchanged. */
  to?: Intent;
  /** Automatic renewal afterwards; absent: unchanged. */
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

export interface OrderParameters {
  /** ISO time. */
  resumeAt?: string;
  reason?: string;
  targetCode?: string;
  currency?: string;
  /** ISO time: the end that users saw when it was ordered. */
  endsAt?: string;
  /** For a plan change, in minor units of `currency`: the credit, and the gateway's charge. */
  creditMinor?: number;
  chargeMinor?: number;
  /** Ordered by a rule: the last payment was fully refunded and none made since. */
  rule?: 'refunded';
}

export interface Ordered {
  verb: GatewayVerb;
  parameters: OrderParameters;
}

/** An order neither confirmed nor refused by the gateway. */
export interface OpenOrder extends Ordered {
  id: number;
  /** ISO time. */
  createdAt: string;
}

/** Sets the gateway's end to the plan's, even to an earlier one. */
export const isPlanEnd = ({ verb, parameters }: Ordered): boolean =>
  verb === 'extend' && parameters.targetCode !== undefined;

/** Sets the gateway's end to what users see; until confirmed, the gateway reports an older one. */
export const movesEnd = ({ parameters }: Ordered): boolean => parameters.endsAt !== undefined;

/** It starts with its order; a dearer plan starts when the gateway has charged it. */
export const isCheaperPlan = (order: Ordered): boolean => order.verb === 'changePlan' && movesEnd(order);

/** Orders that stop further charges. */
export const stops = (verb: GatewayVerb): boolean =>
  verb !== 'extend' && transitions[verb].autoRenew === false;

/** Within a group only the newest order counts: each sets the same state. */
const groups: Readonly<Record<GatewayVerb, string>> = {
  pause: 'status',
  resume: 'status',
  cancel: 'status',
  renewalOn: 'renewal',
  renewalOff: 'renewal',
  changePlan: 'plan',
  extend: 'end',
};

/** Older orders that this one makes void; a customer who cancels does not expect a plan's charge. */
export const voidedBy = (verb: GatewayVerb): GatewayVerb[] =>
  (Object.keys(groups) as GatewayVerb[]).filter(
    (older) => groups[older] === groups[verb] || (verb === 'cancel' && older !== 'extend'),
  );
