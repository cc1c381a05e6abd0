/**
 * The life of the simulated wallet gateway: it charges each month, retries failed payments, suspends a profile after
 * the last failure, and reports every change.
 */
import { catalogue } from './catalogue.ts';
import { advanceBy, createOutbox, currency, dayMs, euros, monthsAfter, wholeSecond } from './life.ts';
import type { GatewayLife, Taken } from './life.ts';
import type { SimulatedProfile, WalletAction } from './wallet-interfaces.ts';
import type { SimulatedWallet } from './wallet.ts';

/** Days after a failed payment; the profile is suspended if the last retry fails. */
const retryDays = [3, 5] as const;

export const walletPath = '/api/webhooks/paypal/ipn';

export interface WalletPurchase {
  reference: string;
  userId: number;
  productCode: string;
}

export interface WalletLife extends GatewayLife {
  buy: (purchase: WalletPurchase) => void;
  /** A customer's action on the gateway's page. */
  cancel: (reference: string) => void;
  /** Refunds part of the newest payment, or all that is left; false: nothing is left. */
  refund: (reference: string, amountMinor: number | null) => boolean;
}

const reports: Readonly<Record<WalletAction, string | null>> = {
  Suspend: 'recurring_payment_suspended',
  Cancel: 'recurring_payment_profile_cancel',
  // The wallet documents no message for it.
  Reactivate: null,
};

export const createWalletLife = (wallet: SimulatedWallet, now: () => Date): WalletLife => {
  const taken: Taken[] = [];
  const outbox = createOutbox();
  const purchases = new Map<string, WalletPurchase>();
  const declined = new Set<string>();
  const tries = new Map<string, number>();
  let lastNumber = 0;
  const nextNumber = (): string => `TX${String((lastNumber += 1)).padStart(8, '0')}`;

  const send = (body: string, at: Date): void => {
    outbox.send({ path: walletPath, body, at });
    wallet.note();
  };
  const profileOf = (reference: string): SimulatedProfile => {
    const found = wallet.profiles.get(reference);
    if (!found) throw new Error(`The simulated wallet gateway has no profile ${reference}.`);
    return found;
  };
  const event = (type: string, reference: string, at: Date, retryAt?: Date): void => {
    const extra = retryAt ? { retry_at: retryAt.toISOString() } : {};
    const createdAt = taken.find((one) => one.reference === reference)?.at;
    send(wallet.event({ type, reference, at, createdAt, extra }), at);
  };

  const pay = (reference: string, what: Taken['what'], at: Date, from: Date): void => {
    const purchase = purchases.get(reference);
    const product = catalogue[purchase?.productCode ?? ''];
    if (!purchase || !product)
      throw new Error(`The simulated wallet gateway sells no ${purchase?.productCode}.`);
    const next = monthsAfter(from, product.months);
    const transactionId = nextNumber();
    tries.delete(reference);
    taken.push({ reference, number: transactionId, what, amountMinor: product.priceMinor, at });
    const body = wallet.payment({
      ...purchase,
      transactionId,
      total: euros(product.priceMinor),
      currency,
      paidAt: at,
      extra: { next_payment_date: next.toISOString() },
    });
    profileOf(reference).nextBillingAt = next;
    send(body, at);
  };

  const work = (reference: string, at: Date): void => {
    const profile = profileOf(reference);
    if (!declined.has(reference)) {
      // A late payment does not move later billing days.
      const periodAt = new Date(at.getTime() - lateDays(reference) * dayMs);
      pay(reference, 'renewal', at, periodAt);
      return;
    }
    const count = tries.get(reference) ?? 0;
    const wait = retryDays[count];
    if (wait === undefined) {
      tries.delete(reference);
      profile.status = 'Suspended';
      event('recurring_payment_suspended_due_to_max_failed_payment', reference, at);
      return;
    }
    tries.set(reference, count + 1);
    profile.nextBillingAt = new Date(at.getTime() + wait * dayMs);
    event('subscr_failed', reference, at, profile.nextBillingAt);
  };
  const lateDays = (reference: string): number =>
    retryDays.slice(0, tries.get(reference) ?? 0).reduce((sum, days) => sum + days, 0);

  const due = () =>
    [...wallet.profiles.values()].flatMap(({ reference, status, nextBillingAt }) =>
      status === 'Active' && nextBillingAt && purchases.has(reference)
        ? [{ reference, at: nextBillingAt }]
        : [],
    );

  /** A reactivated profile is charged on its next billing day. */
  const skipMissed = (profile: SimulatedProfile, at: Date): void => {
    const months = catalogue[purchases.get(profile.reference)?.productCode ?? '']?.months ?? 1;
    let next = profile.nextBillingAt ?? at;
    while (next <= at) next = monthsAfter(next, months);
    profile.nextBillingAt = next;
  };

  wallet.listen((reference, action) => {
    const at = wholeSecond(now());
    const type = reports[action];
    if (action === 'Reactivate') skipMissed(profileOf(reference), at);
    if (type !== null) event(type, reference, at);
  });

  /** What is left of a payment after its refunds. */
  const remainingOf = (number: string): number =>
    taken.filter((one) => one.number === number).reduce((sum, { amountMinor }) => sum + amountMinor, 0);

  return {
    ...advanceBy(due, work),
    taken,
    messages: outbox.take,
    charges: (reference) => ['Active', 'Suspended'].includes(wallet.profiles.get(reference)?.status ?? ''),
    decline: (reference, isDeclined) => {
      if (isDeclined) declined.add(reference);
      else declined.delete(reference);
    },
    buy: (purchase) => {
      const at = wholeSecond(now());
      purchases.set(purchase.reference, purchase);
      pay(purchase.reference, 'purchase', at, at);
    },
    cancel: (reference) => {
      const profile = profileOf(reference);
      if (profile.status !== 'Active' && profile.status !== 'Suspended') return;
      profile.status = 'Cancelled';
      event(reports.Cancel ?? '', reference, wholeSecond(now()));
    },
    refund: (reference, given) => {
      const at = wholeSecond(now());
      const paid = taken.findLast((one) => one.reference === reference && one.what !== 'refund');
      const payment = wallet.payments.get(paid?.number ?? '');
      const left = paid ? remainingOf(paid.number) : 0;
      const amountMinor = given ?? left;
      if (!paid || !payment || amountMinor <= 0 || amountMinor > left) return false;
      const isWhole = amountMinor === left;
      taken.push({ reference, number: paid.number, what: 'refund', amountMinor: -amountMinor, at });
      const status = isWhole ? 'Refunded' : 'Partially_Refunded';
      wallet.payments.set(paid.number, { ...payment, status });
      const ids = { transactionId: nextNumber(), parentId: paid.number, reference };
      send(wallet.refunded({ ...ids, total: euros(amountMinor), currency, at, status }), at);
      return true;
    },
    clear: () => {
      for (const kept of [wallet.profiles, wallet.payments, purchases, tries]) kept.clear();
      for (const kept of [declined, wallet.refusals]) kept.clear();
      wallet.reads.clear();
      taken.length = 0;
      outbox.take();
    },
  };
};
