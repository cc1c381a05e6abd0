import { sql } from '../sql.ts';
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
  create: (row: NewProduct): Promise<number> =>
    tx.run(sql`
      INSERT INTO product (code, title, group_package, rank, level, frequency, duration_days, price_minor, currency,
        max_calculation, library_quota_mb, storage_quota_mb, max_checklists, migration_bonus_days, other_prices)
      VALUES (${row.code}, ${row.title}, ${row.groupPackage}, ${row.rank}, ${row.level}, ${row.frequency},
        ${row.durationDays}, ${row.priceMinor}, ${row.currency}, ${row.maxCalculation}, ${row.libraryQuotaMb},
        ${row.storageQuotaMb}, ${row.maxChecklists}, ${row.migrationBonusDays}, ${row.otherPrices})`),

  /** Stores every field of the row; changes apply to all holders immediately. */
  save: (row: ProductRow): Promise<number> =>
    tx.run(sql`
      UPDATE product SET title = ${row.title}, group_package = ${row.groupPackage}, rank = ${row.rank},
        other_prices = ${row.otherPrices}, level = ${row.level}, duration_days = ${row.durationDays},
        price_minor = ${row.priceMinor},
        migration_bonus_days = ${row.migrationBonusDays}, currency = ${row.currency}, max_calculation = ${row.maxCalculation}, allowance_days = ${row.allowanceDays},
        library_quota_mb = ${row.libraryQuotaMb}, storage_quota_mb = ${row.storageQuotaMb},
        max_checklists = ${row.maxChecklists}, is_notam = ${row.isNotam}, is_nnc = ${row.isNnc},
        is_mel = ${row.isMel}, is_cdl = ${row.isCdl}, is_most_fav = ${row.isMostFav},
        is_balked_landing = ${row.isBalkedLanding}, is_all_intersections = ${row.isAllIntersections},
        is_commercial = ${row.isCommercial}, is_fleet_database = ${row.isFleetDatabase},
        allowed_airports = ${row.allowedAirports}, is_active = ${row.isActive}
      WHERE code = ${row.code}`),
});
