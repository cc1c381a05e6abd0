/**
 * The life of the simulated card gateway: it charges at the end of each paid period, retries a declined card for some
 * days before giving up, and reports every change.
 */
import type { CardEvent, SimulatedCard } from './card.ts';
import type { SimulatedLicence } from './card-methods.ts';
import { catalogue } from './catalogue.ts';
import { advanceBy, createOutbox, currency, dayMs, euros, monthsAfter, wholeSecond } from './life.ts';
import type { GatewayLife, Taken } from './life.ts';

/** Days after the paid end on which a declined card is retried; their number is set per account. */
const retryDays = [1, 3, 6, 10] as const;

export const cardPaths = { ipn: '/api/webhooks/2checkout/ipn', lcn: '/api/webhooks/2checkout/lcn' } as const;

type Sold = Pick<SimulatedLicence, 'reference' | 'userId' | 'productCode'>;

export interface CardPurchase extends Sold {
  /** Id of the migration that it completes. */
  intentId?: string;
}

export interface CardLife extends GatewayLife {
  buy: (purchase: CardPurchase) => void;
  /** A customer's action on the gateway's page. */
  setRecurring: (reference: string, isRecurring: boolean) => void;
  /** Retries the card now, as if the customer had entered another one. */
  retry: (reference: string) => void;
}

export const createCardLife = (card: SimulatedCard, now: () => Date): CardLife => {
  const taken: Taken[] = [];
  const outbox = createOutbox();
  /** Attempts with a declined card so far. */
  const tries = new Map<string, number>();
  const expired = new Set<string>();
  /** Not before this time: renewal was switched on after the end. */
  const since = new Map<string, Date>();
  let lastNumber = 0;
  const nextNumber = (): string => String((lastNumber += 1) + 7_000_000);

  const licenceOf = (reference: string): SimulatedLicence => {
    const found = card.licences.get(reference);
    if (!found) throw new Error(`The simulated card gateway has no licence ${reference}.`);
    return found;
  };

  const statusOf = ({ reference, isEnabled }: SimulatedLicence): string => {
    if (!isEnabled) return 'DISABLED';
    if (expired.has(reference)) return 'EXPIRED';
    return tries.has(reference) ? 'PAST DUE' : 'ACTIVE';
  };

  const sendLicence = (licence: SimulatedLicence, at: Date): void => {
    const { reference, userId, endsAt, isEnabled, isRecurring } = licence;
    const state = { reference, userId, endsAt, isRecurring, isDisabled: !isEnabled };
    outbox.send({ path: cardPaths.lcn, body: card.lcn({ ...state, status: statusOf(licence), at }), at });
    card.note();
  };

  const order = (
    { reference, userId, productCode, endsAt }: Sold & { endsAt: Date },
    given: {
      number: string;
      status: string;
      amountMinor: number;
      at: Date;
      paidAt?: Date;
      intentId?: string;
    },
  ): void => {
    const { number, status, amountMinor, at, paidAt = at, intentId } = given;
    const body = card.ipn({
      number,
      reference,
      userId,
      productCode,
      status,
      currency,
      paidAt,
      endsAt,
      at,
      total: euros(amountMinor),
      ...(intentId === undefined ? {} : { externalReference: intentId }),
    });
    outbox.send({ path: cardPaths.ipn, body, at });
    card.note();
  };

  const priceOf = (productCode: string): number => catalogue[productCode]?.priceMinor ?? 0;
  /** The card is charged: a new period begins at `from`. */
  const pay = (
    licence: Sold,
    given: { what: Taken['what']; amountMinor: number; at: Date; from: Date; intentId?: string },
  ): void => {
    const { what, amountMinor, at, from, intentId } = given;
    const { reference, productCode } = licence;
    const endsAt = monthsAfter(from, catalogue[productCode]?.months ?? 1);
    const number = nextNumber();
    tries.delete(reference);
    expired.delete(reference);
    taken.push({ reference, number, what, amountMinor, at });
    const paid = { number, status: 'COMPLETE', amountMinor, at };
    order({ ...licence, endsAt }, intentId === undefined ? paid : { ...paid, intentId });
    sendLicence(licenceOf(reference), at);
  };

  const giveUp = (licence: SimulatedLicence, at: Date): void => {
    tries.delete(licence.reference);
    expired.add(licence.reference);
    licence.isRecurring = false;
    sendLicence(licence, at);
  };

  const charge = (licence: SimulatedLicence, at: Date): void => {
    const { reference, productCode, endsAt, resumeAt } = licence;
    const amountMinor = priceOf(productCode);
    if (card.declined.has(reference)) {
      const count = (tries.get(reference) ?? 0) + 1;
      tries.set(reference, count);
      order(licence, { number: nextNumber(), status: 'CANCELED', amountMinor, at });
      if (count > retryDays.length) giveUp(licence, at);
      else sendLicence(licence, at);
      return;
    }
    const isLate = resumeAt !== null || since.has(reference);
    licence.resumeAt = null;
    since.delete(reference);
    pay(licence, { what: 'renewal', amountMinor, at, from: isLate ? at : endsAt });
  };

  const dueAt = (licence: SimulatedLicence): Date | null => {
    const { reference, isEnabled, isRecurring, resumeAt, endsAt } = licence;
    if (!isEnabled) return null;
    if (resumeAt) return resumeAt;
    if (!isRecurring) return expired.has(reference) ? null : endsAt;
    const count = tries.get(reference);
    if (count !== undefined) return new Date(endsAt.getTime() + (retryDays[count - 1] ?? 0) * dayMs);
    const from = since.get(reference);
    return from && from > endsAt ? from : endsAt;
  };

  const due = () =>
    [...card.licences.values()].flatMap((licence) => {
      const at = dueAt(licence);
      return at ? [{ reference: licence.reference, at }] : [];
    });

  const work = (reference: string, at: Date): void => {
    const licence = licenceOf(reference);
    if (licence.resumeAt && at < licence.endsAt) {
      // A pause that ends within the paid period delays no charge.
      licence.resumeAt = null;
      sendLicence(licence, at);
    } else if (licence.isRecurring) charge(licence, at);
    else {
      licence.resumeAt = null;
      tries.delete(reference);
      expired.add(reference);
      sendLicence(licence, at);
    }
  };

  /** The dates after a change; a change of product without a charge keeps the end. */
  const afterChange = (licence: SimulatedLicence, at: Date): void => {
    const { reference, endsAt, isRecurring } = licence;
    if (endsAt > at) expired.delete(reference);
    if (!isRecurring || endsAt > at) tries.delete(reference);
    if (isRecurring && endsAt <= at && !tries.has(reference) && !licence.resumeAt) {
      expired.delete(reference);
      since.set(reference, at);
    }
  };

  const refunded = (
    { number, amount, isWhole }: Extract<CardEvent, { what: 'refunded' }>,
    at: Date,
  ): void => {
    const stored = card.orders.get(number);
    const licence = [...card.licences.values()].find(({ orders }) => orders.includes(number));
    if (!stored || !licence) return;
    const { reference, userId, productCode, endsAt } = licence;
    const total = isWhole ? stored.total : amount;
    const body = card.ipn({
      number,
      reference,
      userId,
      productCode,
      endsAt,
      currency,
      at,
      status: 'REFUND',
      total: `-${total}`,
      paidAt: stored.paidAt,
      extra: { REFUND_TYPE: isWhole ? 'TOTAL' : 'PARTIAL', MESSAGE_ID: nextNumber() },
    });
    card.orders.set(number, stored);
    taken.push({ reference, number, what: 'refund', amountMinor: -Math.round(Number(amount) * 100), at });
    outbox.send({ path: cardPaths.ipn, body, at });
  };

  card.listen((event) => {
    const at = wholeSecond(now());
    if (event.what === 'refunded') {
      refunded(event, at);
      return;
    }
    const licence = licenceOf(event.reference);
    afterChange(licence, at);
    const amountMinor = event.what === 'upgraded' ? Math.round(Number(event.amount) * 100) : 0;
    if (amountMinor > 0) pay(licence, { what: 'upgrade', amountMinor, at, from: at });
    else sendLicence(licence, at);
  });

  return {
    ...advanceBy(due, work),
    taken,
    messages: outbox.take,
    charges: (reference) => {
      const licence = card.licences.get(reference);
      return licence !== undefined && licence.isEnabled && licence.isRecurring;
    },
    decline: (reference, isDeclined) => {
      if (isDeclined) card.declined.add(reference);
      else card.declined.delete(reference);
    },
    buy: ({ intentId, ...licence }) => {
      const at = wholeSecond(now());
      const given = { what: 'purchase', amountMinor: priceOf(licence.productCode), at, from: at } as const;
      pay(licence, intentId === undefined ? given : { ...given, intentId });
    },
    setRecurring: (reference, isRecurring) => {
      const licence = licenceOf(reference);
      licence.isRecurring = isRecurring;
      afterChange(licence, wholeSecond(now()));
      sendLicence(licence, wholeSecond(now()));
    },
    retry: (reference) => {
      if (tries.has(reference)) charge(licenceOf(reference), wholeSecond(now()));
    },
    clear: () => {
      for (const kept of [card.licences, card.orders, tries, since, card.refusals]) kept.clear();
      for (const kept of [expired, card.declined]) kept.clear();
      card.reads.clear();
      card.charges.length = 0;
      taken.length = 0;
      outbox.take();
    },
  };
};
