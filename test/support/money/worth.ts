/** Value of a day of a plan, in cents. */
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import { catalogue } from '#tools/simulated-gateways/catalogue.ts';

/** The lowest value: that of a day in the longest month or year. */
export const dailyOf = (code: string): number => {
  const { priceMinor, months } = catalogue[code] ?? { priceMinor: 0, months: 1 };
  return priceMinor / (months === 1 ? 31 : 366);
};

export const dailyMinor = ({ product }: SubscriptionRecord): number => dailyOf(product.code);
