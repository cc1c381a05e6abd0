/** Promo codes: the discount, and the payments it applies to. */
export interface PromoCode {
  code: string;
  percent: number;
  /** Null: for all products. */
  productCode: string | null;
  /** False: the first payment only. */
  isRecurring: boolean;
  /** Null: unlimited. */
  maxCycles: number | null;
  expiresAt: Date | null;
  isActive: boolean;
}

export const isUsable = (promo: PromoCode, productCode: string, now: Date): boolean =>
  promo.isActive &&
  (promo.productCode === null || promo.productCode === productCode) &&
  (promo.expiresAt === null || promo.expiresAt > now);
