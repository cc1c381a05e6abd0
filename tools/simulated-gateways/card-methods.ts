/** JSON-RPC of the simulated card gateway: the effect of each method on a licence. */
import { catalogue, proratedMinor } from './catalogue.ts';
import { euros } from './life.ts';
import { daySeconds } from '#domain/time.ts';

export interface SimulatedLicence {
  reference: string;
  userId: number;
  productCode: string;
  endsAt: Date;
  isEnabled: boolean;
  isRecurring: boolean;
  resumeAt: Date | null;
  /** Its renewals show only the price without taxes. */
  isNetOnly?: boolean;
  /** The numbers of its orders. */
  orders: string[];
  /** Lists of changes since a later time leave it out; without this, every list has it. */
  modifiedAt?: Date;
}

/** The text of a refusal, or the cost of a product change; null for a change without a charge. */
type Outcome = { refusal: string } | { upgradeAmount: string } | null;

export interface MethodParts {
  now: Date;
  isDeclined: boolean;
}

const refused = (refusal: string): Outcome => ({ refusal });
const fromLocal = (text: string): Date => new Date(`${text.replace(' ', 'T')}+02:00`);

const upgrade = (
  licence: SimulatedLicence,
  [code, given, price]: readonly unknown[],
  { now, isDeclined }: MethodParts,
): Outcome => {
  const target = String(code);
  if (typeof given !== 'string') return refused('The options must be a text');
  if (price !== null && typeof price !== 'string') return refused('The custom price must be a text');
  if (!licence.isEnabled || !licence.isRecurring) return refused('The automatic renewal is off');
  if (!catalogue[target] || target === licence.productCode)
    return refused('The product is not an option of the upgrade');
  const daysLeft = (licence.endsAt.getTime() - now.getTime()) / 1_000 / daySeconds;
  const amount = price ?? euros(proratedMinor(licence.productCode, target, daysLeft));
  if (isDeclined && Number(amount) > 0) return refused('The card was declined');
  licence.productCode = target;
  return { upgradeAmount: amount };
};

/** The complete subscription that was read, with the new values. */
const update = (licence: SimulatedLicence, [given]: readonly unknown[], { now }: MethodParts): Outcome => {
  const { ExpirationDate, RecurringEnabled, SubscriptionEnabled, Product } = given as Record<string, unknown>;
  const endsAt = fromLocal(String(ExpirationDate));
  if (endsAt <= now) return refused('The expiration date is in the past');
  const { ProductCode } = Product as { ProductCode: string };
  Object.assign(licence, { endsAt, productCode: ProductCode });
  Object.assign(licence, { isRecurring: RecurringEnabled === true, isEnabled: SubscriptionEnabled === true });
  return null;
};

export const cardMethods: Readonly<
  Record<string, (licence: SimulatedLicence, values: readonly unknown[], parts: MethodParts) => Outcome>
> = {
  setRenewalPause: (licence, [at]) => {
    licence.resumeAt = fromLocal(String(at));
    return null;
  },
  cancelRenewalPause: (licence) => {
    if (!licence.resumeAt) return refused('The renewal is not paused');
    licence.resumeAt = null;
    return null;
  },
  cancelSubscription: (licence) => {
    if (!licence.isEnabled) return refused('The subscription is disabled');
    licence.isEnabled = false;
    licence.isRecurring = false;
    return null;
  },
  enableRecurringBilling: (licence) => {
    licence.isRecurring = true;
    return null;
  },
  disableRecurringBilling: (licence) => {
    licence.isRecurring = false;
    return null;
  },
  setSubscriptionUpgrade: upgrade,
  updateSubscription: update,
};
