/** Reads subscriptions and their orders from the card gateway. */
import { z } from 'zod';
import { GatewayError } from '#domain/subscriptions/gateway.ts';
import type {
  CallOptions,
  LiveSubscription,
  PaymentOptions,
  ReadOptions,
} from '#domain/subscriptions/gateway.ts';
import { currencyCode, toMinor } from '#domain/subscriptions/money.ts';
import { ownerOf } from '#domain/subscriptions/notice.ts';
import type { NoticePayment, NoticeSet } from '#domain/subscriptions/notice.ts';
import { orderStatuses } from './ipn.ts';
import { rest } from './rest.ts';
import type { CardParts } from './rest.ts';
import { accountEnd, accountTime, inAccountTime } from './times.ts';
import type { AccountEnd } from './times.ts';

const textSchema = z.string().nullish();
const amountSchema = z.union([z.number(), z.string()]).transform(String).nullish();

/** Keeps unknown fields, since changes send the whole object back. */
const cardSubscriptionSchema = z.looseObject({
  SubscriptionReference: z.string(),
  ExpirationDate: textSchema,
  RecurringEnabled: z.boolean().nullish(),
  SubscriptionEnabled: z.boolean().nullish(),
  Product: z.looseObject({ ProductCode: textSchema }).nullish(),
  ExternalCustomerReference: textSchema,
});
export type CardSubscription = z.output<typeof cardSubscriptionSchema>;

const pauseSchema = z.object({ ResumeDate: textSchema });
const priceSchema = z.object({
  FinalPrice: amountSchema,
  FinalCurrency: textSchema,
  NetCurrency: textSchema,
});

const path = (reference: string, tail = ''): string =>
  `/subscriptions/${encodeURIComponent(reference)}/${tail}`;

export const readSubscription = (
  parts: CardParts,
  reference: string,
  options: CallOptions,
): Promise<CardSubscription | null> =>
  rest(parts, cardSubscriptionSchema, { path: path(reference) }, options);

export const endOf = (
  { settings }: Pick<CardParts, 'settings'>,
  found: Pick<CardSubscription, 'ExpirationDate'>,
): AccountEnd | null => accountEnd(found.ExpirationDate ?? null, settings.timeZone);

/** When charging resumes; null if not paused. */
export const readPause = async (
  parts: CardParts,
  reference: string,
  options: CallOptions,
): Promise<Date | null> => {
  const found = await rest(parts, pauseSchema, { path: path(reference, 'renewal/pause/') }, options);
  return accountTime(found?.ResumeDate ?? null, parts.settings.timeZone);
};

/** Renewal currency and next price with taxes; null if not stated. */
const readPrice = async (parts: CardParts, reference: string, asked: string, options: CallOptions) => {
  const price = await rest(parts, priceSchema, { path: path(reference, `renewal/price/${asked}/`) }, options);
  if (price === null) return null;
  const currency = currencyCode(price.FinalCurrency ?? price.NetCurrency ?? asked);
  return { nextMinor: toMinor(price.FinalPrice ?? '', currency), currency };
};

/** An enabled subscription without renewal may have been cancelled by its customer, so its status stays unchanged. */
const statusFields = (
  isOff: boolean,
  resumeAt: Date | null,
  isRenewed: boolean | null | undefined,
): NoticeSet => {
  if (isOff) return { intent: 'Cancelled' };
  if (resumeAt) return { intent: 'paused', pauseUntil: resumeAt.toISOString().slice(0, 10) };
  return isRenewed === true ? { intent: 'Running' } : {};
};

export const readLive = async (
  parts: CardParts,
  reference: string,
  { currency, ...options }: ReadOptions,
): Promise<LiveSubscription | null> => {
  const found = await readSubscription(parts, reference, options);
  if (!found) return null;
  const isOff = found.SubscriptionEnabled === false;
  const [pausedUntil, price] = await Promise.all([
    readPause(parts, reference, options),
    isOff || currency === undefined ? null : readPrice(parts, reference, currency, options),
  ]);
  const now = parts.clock.now();
  const end = endOf(parts, found);
  const resumeAt = pausedUntil && pausedUntil > now ? pausedUntil : null;
  const isRenewed = isOff ? false : found.RecurringEnabled;
  const isOver = end !== null && end.endsAt <= now;
  return {
    status: isOff ? 'Cancelled' : resumeAt ? 'paused' : isOver ? 'Expired' : 'Running',
    price: price && { ...price, nextMinor: isRenewed === false ? null : price.nextMinor },
    notice: {
      reference,
      occurredAt: now,
      what: 'The state at the card gateway.',
      owner: ownerOf(found.ExternalCustomerReference ?? null),
      set: {
        productCode: found.Product?.ProductCode || undefined,
        ...(end ? { ...end, startsAt: now, isLapsed: isOver ? undefined : false } : {}),
        ...statusFields(isOff, resumeAt, isRenewed),
        autoRenew: isRenewed ?? undefined,
      },
      payments: [],
    },
  };
};

const historySchema = z.array(z.object({ ReferenceNo: z.union([z.string(), z.number()]).transform(String) }));
const orderSchema = z.object({
  RefNo: z.union([z.string(), z.number()]).transform(String),
  Status: z.string(),
  GrossPrice: amountSchema,
  Currency: z.string(),
  OrderDate: textSchema,
  FinishDate: textSchema,
  PaymentDetails: z.object({ Type: textSchema }).nullish(),
});

/** Newest orders; reading more would exceed the caller's time limit. */
const maxOrders = 24;

export const readPayments = async (
  parts: CardParts,
  reference: string,
  { known = new Set(), ...options }: PaymentOptions,
): Promise<NoticePayment[]> => {
  const history = await rest(parts, historySchema, { path: path(reference, 'history/') }, options);
  const numbers = (history ?? []).map(({ ReferenceNo }) => ReferenceNo);
  const asked = [...new Set(numbers)]
    .slice(-maxOrders)
    .filter((number, index, { length }) => index === length - 1 || !known.has(number));
  const orders = await Promise.all(
    asked.map(async (number): Promise<NoticePayment[]> => {
      const order = await rest(
        parts,
        orderSchema,
        { path: `/orders/${encodeURIComponent(number)}/` },
        options,
      );
      if (order === null) return [];
      const currency = currencyCode(order.Currency);
      const paidAt = accountTime(order.FinishDate ?? order.OrderDate ?? null, parts.settings.timeZone);
      const amountMinor = toMinor(order.GrossPrice ?? '', currency);
      if (paidAt === null || amountMinor === null) return [];
      const status = orderStatuses[order.Status] ?? 'PENDING';
      const method = order.PaymentDetails?.Type ?? null;
      return [{ transactionId: order.RefNo, kind: 'payment', status, amountMinor, currency, method, paidAt }];
    }),
  );
  return orders.flat();
};

const itemsSchema = z.array(z.object({ SubscriptionReference: z.string() }));
const pageSchema = z.union([itemsSchema, z.object({ Items: itemsSchema }).transform(({ Items }) => Items)]);

const pageSize = 100;

/** References of subscriptions changed at the card gateway since a time. Throws `GatewayError`. */
export const changedAtCard = async (
  parts: CardParts,
  since: Date,
  options: CallOptions,
): Promise<string[]> => {
  const references: string[] = [];
  let first: string | undefined;
  for (let page = 1; ; page += 1) {
    const query = {
      ModifiedAfter: inAccountTime(since, parts.settings.timeZone),
      Page: String(page),
      Limit: String(pageSize),
    };
    const items = await rest(parts, pageSchema, { path: '/subscriptions/', query }, options);
    if (items === null) throw new GatewayError('unknown', 'The card gateway has no list of changes.');
    const own = items.map(({ SubscriptionReference: reference }) => reference);
    if (page > 1 && own[0] === first)
      throw new GatewayError('unknown', 'The card gateway repeats the pages of its list.');
    first = own[0];
    references.push(...own);
    if (items.length < pageSize) return references;
  }
};
