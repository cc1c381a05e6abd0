/** Promo codes: what is taken off, and for which payments. */
export interface PromoCode {
  code: string;
  percent: number;
  /** Null: for every product. */
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
