/** Products of the simulated gateways: price per period in cents, and its length in months. */
export interface CatalogueProduct {
  priceMinor: number;
  months: number;
}

/** Tests add the products that they create as an operator. */
export const catalogue: Record<string, CatalogueProduct> = {
  EFB_LITE_M: { priceMinor: 299, months: 1 },
  EFB_LITE_Y: { priceMinor: 2_990, months: 12 },
  EFB_STANDARD_M: { priceMinor: 599, months: 1 },
  EFB_STANDARD_Y: { priceMinor: 5_990, months: 12 },
  EFB_PRO_M: { priceMinor: 999, months: 1 },
  EFB_PRO_Y: { priceMinor: 9_990, months: 12 },
  EFB_COMMERCIAL_Y: { priceMinor: 99_900, months: 12 },
};

const monthDays = 30;

/** The gateway's own charge for a product change: the new price less the unused part of the old one. */
export const proratedMinor = (fromCode: string, toCode: string, daysLeft: number): number => {
  const [from, to] = [catalogue[fromCode], catalogue[toCode]];
  if (!from || !to) return 0;
  const unused = from.priceMinor * Math.min(1, Math.max(0, daysLeft) / (from.months * monthDays));
  return Math.max(0, Math.round(to.priceMinor - unused));
};
