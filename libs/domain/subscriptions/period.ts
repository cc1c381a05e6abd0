import { addSeconds, daySeconds } from '../time.ts';

const months = { monthly: 1, yearly: 12 } as const;

/** The same day and time in a later month (UTC), or the last day of a shorter one. */
const monthsLater = (from: Date, count: number): Date => {
  const later = new Date(from);
  later.setUTCDate(1);
  later.setUTCMonth(later.getUTCMonth() + count);
  const lastDay = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate();
  later.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return later;
};

/** What a payment for a product covers. */
export interface Billed {
  frequency: 'monthly' | 'yearly' | 'unknown';
  durationDays: number;
}

/**
 * Paid end if the gateway reports none. Gateways renew by calendar month: access must not end a day before the next
 * payment of a long month, nor last less than the product's days.
 */
export const periodEnd = (from: Date, { frequency, durationDays }: Billed): Date => {
  const byDays = addSeconds(from, durationDays * daySeconds);
  if (frequency === 'unknown') return byDays;
  const byMonths = monthsLater(from, months[frequency]);
  return byMonths > byDays ? byMonths : byDays;
};
