import { z } from 'zod';
import { GatewayError } from '#domain/subscriptions/gateway.ts';
import type { CallOptions } from '#domain/subscriptions/gateway.ts';
import { parsed } from '../calls.ts';
import { rest } from './rest.ts';
import type { CardParts } from './rest.ts';
import { inAccountTime } from './times.ts';

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
    const items = parsed(pageSchema, await rest(parts, { path: '/subscriptions/', query }, options), 'card');
    const own = items.map(({ SubscriptionReference: reference }) => reference);
    if (page > 1 && own[0] === first)
      throw new GatewayError('unknown', 'The card gateway repeats the pages of its list.');
    first = own[0];
    references.push(...own);
    if (items.length < pageSize) return references;
  }
};
