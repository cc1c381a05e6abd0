/** Subscriptions that changed at the card gateway since a time, as notices. */
import { z } from 'zod';
import { GatewayError } from '#domain/subscriptions/gateway.ts';
import type { CallOptions } from '#domain/subscriptions/gateway.ts';
import { ownerOf } from '#domain/subscriptions/notice.ts';
import type { GatewayNotice } from '#domain/subscriptions/notice.ts';
import { endOf } from './read.ts';
import { rest } from './rest.ts';
import type { CardParts } from './rest.ts';
import { inAccountTime } from './times.ts';

const pageSchema = z.object({ Items: z.array(z.unknown()) }).or(z.array(z.unknown()));

const itemSchema = z.object({
  SubscriptionReference: z.string(),
  StartDate: z.string().nullish(),
  ExpirationDate: z.string().nullish(),
  RecurringEnabled: z.boolean().nullish(),
  SubscriptionEnabled: z.boolean().nullish(),
  Product: z.object({ ProductCode: z.string().nullish() }).nullish(),
  ExternalCustomerReference: z.string().nullish(),
});

const pageSize = 100;

const noticeOf = (parts: CardParts, item: unknown, now: Date): GatewayNotice[] => {
  const found = itemSchema.safeParse(item);
  if (!found.success) return [];
  const { data } = found;
  const end = endOf(parts, data);
  const productCode = data.Product?.ProductCode ?? null;
  const isOff = data.SubscriptionEnabled === false;
  return [
    {
      reference: data.SubscriptionReference,
      occurredAt: now,
      what: 'The state at the card gateway.',
      owner: ownerOf(data.ExternalCustomerReference ?? null),
      set: {
        ...(productCode === null ? {} : { productCode }),
        ...(end ? { ...end, startsAt: now, ...(end.endsAt > now ? { isLapsed: false } : {}) } : {}),
        ...(isOff ? { intent: 'Cancelled', autoRenew: false } : {}),
        ...(isOff || data.RecurringEnabled === undefined || data.RecurringEnabled === null
          ? {}
          : { autoRenew: data.RecurringEnabled }),
      },
      payments: [],
    },
  ];
};

export const missedAtCard = async (
  parts: CardParts,
  since: Date,
  options: CallOptions,
): Promise<GatewayNotice[]> => {
  const now = parts.clock.now();
  const notices: GatewayNotice[] = [];
  let first: string | undefined;
  for (let page = 1; ; page += 1) {
    const query = {
      ModifiedAfter: inAccountTime(since, parts.settings.timeZone),
      Page: String(page),
      Limit: String(pageSize),
    };
    const found = pageSchema.safeParse(await rest(parts, { path: '/subscriptions/', query }, options));
    if (!found.success) throw new GatewayError('unknown', 'The card gateway answered in an unknown form.');
    const items = Array.isArray(found.data) ? found.data : found.data.Items;
    const own = items.flatMap((item) => noticeOf(parts, item, now));
    if (page > 1 && own[0]?.reference === first)
      throw new GatewayError('unknown', 'The card gateway repeats the pages of its list.');
    first = own[0]?.reference;
    notices.push(...own);
    if (items.length < pageSize) return notices;
  }
};
