import { insertOf, setOf, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

/** A row of the product table: levels, quotas and features are data (G-34). */
export interface ProductRow {
  code: string;
  title: string;
  groupPackage: string | null;
  rank: number | null;
  level: number;
  frequency: 'monthly' | 'yearly' | 'unknown';
  durationDays: number;
  priceMinor: number;
  currency: string;
  /** In further currencies, in minor units by ISO 4217 code. */
  otherPrices: Readonly<Record<string, number>>;
  /** Days added by a change from the wallet to the card gateway. */
  migrationBonusDays: number;
  maxCalculation: number;
  allowanceDays: number;
  libraryQuotaMb: number;
  storageQuotaMb: number;
  maxChecklists: number;
  isNotam: boolean;
  isNnc: boolean;
  isMel: boolean;
  isCdl: boolean;
  isMostFav: boolean;
  isBalkedLanding: boolean;
  isAllIntersections: boolean;
  isCommercial: boolean;
  isFleetDatabase: boolean;
  allowedAirports: string[];
  isActive: boolean;
}

export type NewProduct = Pick<
  ProductRow,
  | 'code'
  | 'title'
  | 'groupPackage'
  | 'rank'
  | 'level'
  | 'frequency'
  | 'durationDays'
  | 'priceMinor'
  | 'currency'
  | 'otherPrices'
  | 'maxCalculation'
  | 'libraryQuotaMb'
  | 'storageQuotaMb'
  | 'maxChecklists'
  | 'migrationBonusDays'
>;

export type ProductChange = Partial<Omit<ProductRow, 'code' | 'frequency'>>;

const columns = sql`code, title, group_package, rank, level, frequency, duration_days, price_minor, currency,
  other_prices, migration_bonus_days, max_calculation, allowance_days, library_quota_mb, storage_quota_mb,
  max_checklists, is_notam, is_nnc, is_mel, is_cdl, is_most_fav, is_balked_landing, is_all_intersections,
  is_commercial, is_fleet_database, allowed_airports, is_active`;

export const productRepo = (db: ReadDb) => ({
  list: (): Promise<ProductRow[]> =>
    db.any<ProductRow>(sql`SELECT ${columns} FROM product ORDER BY level, rank NULLS LAST, code`),

  byCode: (code: string): Promise<ProductRow | null> =>
    db.maybe<ProductRow>(sql`SELECT ${columns} FROM product WHERE code = ${code}`),
});

export const productWrites = (tx: Tx) => ({
  /** Throws PRODUCT_EXISTS. */
  create: (row: NewProduct): Promise<number> => tx.run(insertOf('product', row)),

  /** Stores every field of the row; changes apply to all holders immediately. */
  save: ({ code, ...row }: ProductRow): Promise<number> =>
    tx.run(sql`UPDATE product SET ${setOf(row)} WHERE code = ${code}`),
});
