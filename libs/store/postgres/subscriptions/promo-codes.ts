import type { PromoCode } from '#domain/subscriptions/plan.ts';
import { insertOf, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

const columns = sql`code, percent, product_code, is_recurring, max_cycles, expires_at, is_active`;

export const promoCodeRepo = (db: ReadDb) => ({
  list: (): Promise<PromoCode[]> => db.any<PromoCode>(sql`SELECT ${columns} FROM promo_code ORDER BY code`),

  /** Codes are compared without regard to case. */
  byCode: (code: string): Promise<PromoCode | null> =>
    db.maybe<PromoCode>(sql`SELECT ${columns} FROM promo_code WHERE code = upper(${code})`),
});

export const promoCodeWrites = (tx: Tx) => ({
  /** Throws PROMO_EXISTS. */
  create: (promo: PromoCode, now: Date): Promise<number> =>
    tx.run(insertOf('promo_code', { ...promo, code: promo.code.toUpperCase(), createdAt: now })),

  setActive: (code: string, isActive: boolean): Promise<number> =>
    tx.run(sql`UPDATE promo_code SET is_active = ${isActive} WHERE code = upper(${code})`),
});
