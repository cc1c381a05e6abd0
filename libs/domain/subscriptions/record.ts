/** A subscription with its product, as stored. Amounts are in minor units of their currency. */
import type { Agreement } from './agreement.ts';
import type { HeldSubscription, Product } from './entitlement.ts';
import type { NoticeFields } from './notice.ts';
import type { OpenOrder } from './orders.ts';
import type { Plan } from './plan.ts';

/** A row of the product table: levels, quotas and features are data (G-34). */
export interface SoldProduct extends Product, Plan {
  groupPackage: string | null;
  /** Days added by a change from the wallet to the card gateway. */
  migrationBonusDays: number;
  isActive: boolean;
}

export interface SubscriptionRecord
  extends
    Omit<NoticeFields, 'productCode' | 'isLapsed' | 'intent' | 'isEndDay'>,
    Omit<HeldSubscription, 'product'> {
  userId: number;
  /** Code of the gateway; null for a grant by the operator. */
  gateway: string | null;
  reference: string | null;
  /** Of the newest period. */
  pricePaidMinor: number;
  lastPaymentAt: Date | null;
  /** Completed payments. */
  cyclesCompleted: number;
  /** There is a plan on sale with a higher rank. */
  hasHigherPlan: boolean;
  /** There was access when its user was last notified; null: that was never. */
  hadAccess: boolean | null;
  agreement: Agreement;
  orders: readonly OpenOrder[];
  product: SoldProduct;
  /** Of the account, for subscriptions whose gateway named no subscriber. */
  accountEmail: string;
  accountName: string;
  isAccountDisabled: boolean;
}
