/** A subscription with its product, as stored. Amounts are in minor units of their currency. */
import type { HeldSubscription, Product } from './entitlement.ts';
import type { Clocks, NoticeFields } from './notice.ts';
import type { OpenOrder } from './orders.ts';
import type { Plan } from './plan.ts';

/** A row of the product table: levels, quotas and features are data (G-34). */
export interface SoldProduct extends Product, Plan {
  groupPackage: string | null;
  /** Bonus days for a migration from the wallet to the card gateway. */
  migrationBonusDays: number;
  isActive: boolean;
}

/** The state that the gateway reports. */
export interface Agreement extends Pick<
  NoticeFields,
  'intent' | 'isLapsed' | 'autoRenew' | 'pauseUntil' | 'pauseReason' | 'isEndDay'
> {
  /** Null: the purchased product. */
  productCode: string | null;
  /** The end that the gateway reports independently of payments, which are in the ledger. */
  endsAt: Date | null;
  clocks: Clocks;
}

export interface SubscriptionRecord
  extends
    Omit<NoticeFields, 'productCode' | 'isLapsed' | 'intent' | 'isEndDay'>,
    Omit<HeldSubscription, 'product'> {
  userId: number;
  /** Gateway code; null for an operator's grant. */
  gateway: string | null;
  reference: string | null;
  /** Price of the newest period. */
  pricePaidMinor: number;
  lastPaymentAt: Date | null;
  /** Completed payments. */
  cyclesCompleted: number;
  /** True if a plan of higher rank is on sale. */
  hasHigherPlan: boolean;
  /** Access when the user was last notified; null: never notified. */
  hadAccess: boolean | null;
  agreement: Agreement;
  orders: readonly OpenOrder[];
  product: SoldProduct;
  /** The account's address, for gateways that report no subscriber. */
  accountEmail: string;
  accountName: string;
  isAccountDisabled: boolean;
}
