import { z } from 'zod';
import { subscriptionDetailsSchema } from '#domain/subscriptions/details.ts';
import type { SubscriptionDetails } from '#domain/subscriptions/details.ts';
import { statusOf } from '#domain/subscriptions/entitlement.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import { daysBetween } from '#domain/time.ts';
import type { Caller } from '#domain/users/types.ts';
import { subscriptionRecordRepo } from '#store/postgres/subscriptions/records.ts';
import { defineAction } from '../../define-action.ts';
import { defineQuery } from '../../define.ts';
import { detailsOf } from './common/subscriptions.ts';
import type { ListParts } from './common/subscriptions.ts';

/** How long expired subscriptions are listed (M-2.10.l2). */
const listedDays = 30;

const isListed = (subscription: SubscriptionRecord, now: Date): boolean =>
  statusOf(subscription, now) !== 'EXPIRED' || daysBetween(subscription.endsAt, now) <= listedDays;

const list = {
  output: z.strictObject({ subscriptions: z.array(subscriptionDetailsSchema), totalCount: z.int() }),
  /** Latest end first. */
  handler: async (
    ctx: ListParts & { caller: Pick<Caller, 'userId'> },
  ): Promise<{ subscriptions: SubscriptionDetails[]; totalCount: number }> => {
    const listed = (await subscriptionRecordRepo(ctx.db).ofUser(ctx.caller.userId)).filter((subscription) =>
      isListed(subscription, ctx.now),
    );
    const subscriptions = await Promise.all(listed.map((subscription) => detailsOf(ctx, subscription)));
    return { subscriptions, totalCount: subscriptions.length };
  },
} as const;

export default defineQuery({
  name: 'getSubscriptions',
  spec: ['2.10', '4.8'],
  summary: 'Lists the subscriptions of the user: active, paused, cancelled, and expired within 30 days.',
  devKey: { subscription: 'READ' },
  ...list,
});

export const action = defineAction({
  name: 'user_subscriptions',
  spec: ['4.8'],
  summary: 'Lists the subscriptions of the user.',
  changesState: false,
  ...list,
});
