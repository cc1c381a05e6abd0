/** Calculations a user has left: base of the product plus gifts, over a sliding window (G-33). */
import { z } from 'zod';
import { addSeconds } from '../time.ts';
import type { Entitlement } from './entitlement.ts';

export const windowDays = 30;

/** What was calculated or given after this counts at `now`. */
export const windowStart = (now: Date): Date => addSeconds(now, -windowDays * 86_400);

export interface CountedFrom {
  /** Calculations: not those from before what is bought now. */
  used: Date;
  given: Date;
}

export const countedFrom = (now: Date, { usedFrom }: Pick<Entitlement, 'usedFrom'>): CountedFrom => {
  const given = windowStart(now);
  // What was calculated at the moment of the purchase counts.
  const bought = usedFrom === null ? given : addSeconds(usedFrom, -0.001);
  return { given, used: bought > given ? bought : given };
};

export const allowanceSchema = z.strictObject({
  baseAllowed: z.int(),
  extraCalculationGift: z.int(),
  totalAllowed: z.int(),
  used: z.int(),
  remaining: z.int(),
  overage: z.int(),
  /** Percent of the total, one decimal. */
  usagePct: z.number(),
  windowDays: z.int(),
});

export type Allowance = z.output<typeof allowanceSchema>;

/** `baseAllowed` of the product, `gift` and `used` inside the window. An empty allowance counts as 0 % or 100 % used. */
export const allowance = (baseAllowed: number, gift: number, used: number): Allowance => {
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
    windowDays,
  };
};
