/**
 * A user's remaining calculations: the product's allowance over its sliding window, plus gifts within the longest
 * window (G-33).
 */
import { z } from 'zod';
import { addSeconds, daySeconds } from '../time.ts';
import type { Entitlement, Product } from './entitlement.ts';

/** The longest window of any product. */
export const windowDays = 30;

/** Calculations and gifts from before this time do not count at `now`. */
export const windowStart = (now: Date, days: number = windowDays): Date =>
  addSeconds(now, -days * daySeconds);

export interface CountedFrom {
  /** Start of counted calculations: those before the current purchase are excluded. */
  used: Date;
  given: Date;
}

export const countedFrom = (
  now: Date,
  { usedFrom, product }: Pick<Entitlement, 'usedFrom' | 'product'>,
): CountedFrom => {
  const from = windowStart(now, product.allowanceDays);
  // Calculations at the moment of the purchase count.
  const bought = usedFrom === null ? from : addSeconds(usedFrom, -0.001);
  return { given: windowStart(now), used: bought > from ? bought : from };
};

export const allowanceSchema = z.strictObject({
  baseAllowed: z.int(),
  extraCalculationGift: z.int(),
  totalAllowed: z.int(),
  used: z.int(),
  remaining: z.int(),
  overage: z.int(),
  /** Percentage of the total, with one decimal. */
  usagePct: z.number(),
  windowDays: z.int(),
});

export type Allowance = z.output<typeof allowanceSchema>;

/** `gift` and `used` inside the window. An allowance of zero counts as 0 % or 100 % used. */
export const allowance = (
  { maxCalculation: baseAllowed, allowanceDays }: Pick<Product, 'maxCalculation' | 'allowanceDays'>,
  gift: number,
  used: number,
): Allowance => {
  const totalAllowed = baseAllowed + gift;
  const share = totalAllowed > 0 ? used / totalAllowed : Math.sign(used);
  return {
    baseAllowed,
    extraCalculationGift: gift,
    totalAllowed,
    used,
    remaining: Math.max(0, totalAllowed - used),
    overage: Math.max(0, used - totalAllowed),
    usagePct: Math.round(share * 1_000) / 10,
    windowDays: allowanceDays,
  };
};
