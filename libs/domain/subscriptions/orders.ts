/** What is asked of a gateway, and what each order makes of a subscription. */
import type { SubscriptionStatus } from './entitlement.ts';
import type { GatewayVerb } from './gateway.ts';
import type { Intent } from './notice.ts';

/** Changes that a user requests. */
export type ChangeVerb = 'pause' | 'resume' | 'cancel' | 'renewalOn' | 'renewalOff' | 'changePlan';

export interface Transition {
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

export interface OrderParameters {
  /** ISO time. */
  resumeAt?: string;
  reason?: string;
  targetCode?: string;
  currency?: string;
  /** ISO time: what users saw as the end when it was ordered. */
  endsAt?: string;
  /** Of a change of plan, in minor units of `currency`: what is credited, and what the gateway charges. */
  creditMinor?: number;
  chargeMinor?: number;
  /** Made by a rule: the last payment was given back whole, until another one is made. */
  rule?: 'refunded';
}

export interface Ordered {
  verb: GatewayVerb;
  parameters: OrderParameters;
}

/** An order that the gateway has neither confirmed nor refused. */
export interface OpenOrder extends Ordered {
  id: number;
  /** ISO time. */
  createdAt: string;
}

/** The end at the gateway is to be that of the plan, also an earlier one than it has. */
export const isPlanEnd = ({ verb, parameters }: Ordered): boolean =>
  verb === 'extend' && parameters.targetCode !== undefined;

/** The gateway is to have the end that users see; until then it names one that it had before. */
export const movesEnd = ({ parameters }: Ordered): boolean => parameters.endsAt !== undefined;

/** It begins with its order; a dearer plan begins when the gateway has charged it. */
export const isCheaperPlan = (order: Ordered): boolean => order.verb === 'changePlan' && movesEnd(order);

/** Orders after which the gateway charges no more. */
export const stops = (verb: GatewayVerb): boolean =>
  verb !== 'extend' && transitions[verb].autoRenew === false;

/** Of the verbs of one group only the newest order counts: each says which state to reach. */
const groups: Readonly<Record<GatewayVerb, string>> = {
  pause: 'status',
  resume: 'status',
  cancel: 'status',
  renewalOn: 'renewal',
  renewalOff: 'renewal',
  changePlan: 'plan',
  extend: 'end',
};

/** Older orders that make no sense after this one; a customer who cancels does not expect the charge of a plan. */
export const voidedBy = (verb: GatewayVerb): GatewayVerb[] =>
  (Object.keys(groups) as GatewayVerb[]).filter(
    (older) => groups[older] === groups[verb] || (verb === 'cancel' && older !== 'extend'),
  );
