/** Changes of plan: ranks are data of the products (M-2.10.t2), money is in minor units. */
import { DomainError } from '../errors.ts';
import { addSeconds, daysBetween } from '../time.ts';

const daySeconds = 86_400;

/** A product as far as a change of plan needs it. */
export interface Plan {
  code: string;
  title: string;
  rank: number | null;
  durationDays: number;
  priceMinor: number;
  currency: string;
}

export interface PaidPeriod {
  pricePaidMinor: number;
  endsAt: Date;
}

export type PlanChange =
  | { kind: 'upgrade'; chargeMinor: number; creditMinor: number; currency: string; endsAt: Date }
  | { kind: 'downgrade'; chargeMinor: 0; creditMinor: number; currency: string; endsAt: Date };

const ranked = (plan: Plan): number => {
  if (plan.rank !== null) return plan.rank;
  throw new DomainError(
    'PLAN_NOT_AVAILABLE',
    {},
    `${plan.title} is not part of the plans that can be changed.`,
  );
};

/** What remains of the payment for the current period, in minor units. */
export const remainingMinor = ({ pricePaidMinor, endsAt }: PaidPeriod, plan: Plan, now: Date): number => {
  const share = Math.min(1, Math.max(0, daysBetween(now, endsAt) / plan.durationDays));
  return Math.round(pricePaidMinor * share);
};

/**
 * A higher rank is charged at once, less what remains of the current payment. A lower one costs nothing: the
 * remaining value lasts longer at the new daily rate, and the end never moves forward in time (M-2.10.t3, M-2.10.t4).
 * Throws SAME_PLAN and PLAN_NOT_AVAILABLE.
 */
export const planChange = (current: Plan, target: Plan, paid: PaidPeriod, now: Date): PlanChange => {
  if (current.code === target.code) throw new DomainError('SAME_PLAN');
  const creditMinor = remainingMinor(paid, current, now);
  const { currency } = target;
  if (ranked(target) > ranked(current)) {
    const chargeMinor = Math.max(0, target.priceMinor - creditMinor);
    const endsAt = addSeconds(now, target.durationDays * daySeconds);
    return { kind: 'upgrade', chargeMinor, creditMinor, currency, endsAt };
  }
  const seconds =
    target.priceMinor > 0 ? (creditMinor / target.priceMinor) * target.durationDays * daySeconds : 0;
  const reached = addSeconds(now, Math.round(seconds));
  const endsAt = reached > paid.endsAt ? reached : paid.endsAt;
  return { kind: 'downgrade', chargeMinor: 0, creditMinor, currency, endsAt };
};
