import type { PromoCode } from '#domain/subscriptions/plan.ts';
import type { SoldProduct } from '#domain/subscriptions/record.ts';
import { insertOf, setOf, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

type NewProduct = Pick<
  SoldProduct,
  'code' | 'title' | 'level' | 'frequency' | 'durationDays' | 'priceMinor' | 'currency' | 'maxCalculation'
>;

const columns = sql`code, title, group_package, rank, level, frequency, duration_days, price_minor, currency,
  other_prices, migration_bonus_days, max_calculation, allowance_days, library_quota_mb, storage_quota_mb,
  max_checklists, is_notam, is_nnc, is_mel, is_cdl, is_most_fav, is_balked_landing, is_all_intersections,
  is_commercial, is_fleet_database, allowed_airports, is_active`;

/** What an entitlement takes from `product p`, as arguments of `jsonb_build_object`. */
export const entitledFields = sql`'code', p.code, 'title', p.title, 'level', p.level,
  'maxCalculation', p.max_calculation, 'allowanceDays', p.allowance_days, 'libraryQuotaMb', p.library_quota_mb,
  'storageQuotaMb', p.storage_quota_mb, 'maxChecklists', p.max_checklists, 'isNotam', p.is_notam,
  'isNnc', p.is_nnc, 'isMel', p.is_mel, 'isCdl', p.is_cdl, 'isMostFav', p.is_most_fav,
  'isBalkedLanding', p.is_balked_landing, 'isAllIntersections', p.is_all_intersections,
  'isCommercial', p.is_commercial, 'isFleetDatabase', p.is_fleet_database,
  'allowedAirports', to_jsonb(p.allowed_airports)`;

export const productRepo = (db: ReadDb) => ({
  list: (): Promise<SoldProduct[]> =>
    db.any<SoldProduct>(sql`SELECT ${columns} FROM product ORDER BY level, rank NULLS LAST, code`),

  byCode: (code: string): Promise<SoldProduct | null> =>
    db.maybe<SoldProduct>(sql`SELECT ${columns} FROM product WHERE code = ${code}`),
});

export const productWrites = (tx: Tx) => ({
  /** Throws PRODUCT_EXISTS. */
  create: (row: NewProduct): Promise<number> => tx.run(insertOf('product', row)),

  /** Stores every field of the row; changes apply to all holders immediately. */
  save: ({ code, ...row }: SoldProduct): Promise<number> =>
    tx.run(sql`UPDATE product SET ${setOf(row)} WHERE code = ${code}`),
});

const promoColumns = sql`code, percent, product_code, is_recurring, max_cycles, expires_at, is_active`;

export const promoCodeRepo = (db: ReadDb) => ({
  list: (): Promise<PromoCode[]> =>
    db.any<PromoCode>(sql`SELECT ${promoColumns} FROM promo_code ORDER BY code`),

  /** Codes are compared without regard to case. */
  byCode: (code: string): Promise<PromoCode | null> =>
    db.maybe<PromoCode>(sql`SELECT ${promoColumns} FROM promo_code WHERE code = upper(${code})`),
});

export const promoCodeWrites = (tx: Tx) => ({
  /** Throws PROMO_EXISTS. */
  create: (promo: PromoCode, now: Date): Promise<number> =>
    tx.run(insertOf('promo_code', { ...promo, code: promo.code.toUpperCase(), createdAt: now })),

  setActive: (code: string, isActive: boolean): Promise<number> =>
    tx.run(sql`UPDATE promo_code SET is_active = ${isActive} WHERE code = upper(${code})`),
});
