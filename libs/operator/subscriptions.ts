import { z } from 'zod';
import { cancelSubscription } from '#commands/subscriptions/cancel.ts';
import { extendSubscription } from '#commands/subscriptions/extend.ts';
import { giftCalculations } from '#commands/subscriptions/gift-calculations.ts';
import { grantSubscription } from '#commands/subscriptions/grant.ts';
import type { ListedSubscription } from '#data/postgres/subscriptions/subscriptions.ts';
import { findUser } from './find.ts';
import { email, flagSwitch, integer, maybeInteger, maybeText, text } from './flags.ts';
import { operatorVerb } from './verb.ts';
import type { Noticed } from './verb.ts';

const mostDays = 36_500;

const shown = (subscription: ListedSubscription, notice: string): Noticed => ({
  data: { subscription },
  table: [{ ...subscription }],
  notice,
});

export const grantVerb = operatorVerb({
  summary: 'Grants a product to a user, starting now.',
  flags: {
    email: email(),
    product: text('Code of the product (product list).'),
    days: maybeInteger('Days; default: those of the product.', 1, mostDays),
    gateway: {
      schema: z.enum(['card', 'wallet', 'store']).optional(),
      text: 'Records it as bought through card, wallet or store.',
    },
    reference: maybeText('Reference of the payment gateway.'),
  },
  run: async ({ postgres, change, clock, queues }, { email: address, product: productCode, ...values }) => {
    const { id: userId } = await findUser(postgres.db, address);
    const { producer: jobs } = await queues();
    const granted = await change(async (tx, trail) => {
      const made = await grantSubscription(tx, { clock, jobs }, { ...values, userId, productCode });
      trail.created('subscription', made.id);
      return made;
    });
    return shown(granted, `${productCode} is granted.`);
  },
});

/** Under `user` and under `subscription`. */
export const giftVerb = operatorVerb({
  summary: 'Grants extra calculations for the next 30 days.',
  flags: { email: email(), calculations: integer('Number of calculations.', 1, 100_000) },
  run: async ({ postgres, change, clock }, { email: address, calculations }) => {
    const { id: userId, email: found } = await findUser(postgres.db, address);
    await change(async (tx, trail) => {
      await trail.changing('user', userId);
      await giftCalculations(tx, { clock }, { userId, calculations });
    });
    return { data: { email: found, calculations }, notice: `${calculations} calculations are granted.` };
  },
});

export const extendVerb = operatorVerb({
  summary: 'Adds days to a subscription.',
  flags: {
    id: integer('Id of the subscription (subscription list).'),
    days: integer('Days to add.', 1, mostDays),
  },
  run: async ({ change, clock, queues }, given) => {
    const { producer: jobs } = await queues();
    const extended = await change(async (tx, trail) => {
      await trail.changing('subscription', given.id);
      return extendSubscription(tx, { clock, jobs }, given);
    });
    return shown(extended, `${given.days} days are added.`);
  },
});

export const cancelVerb = operatorVerb({
  summary: 'Ends renewal; access remains until the end date.',
  flags: { id: integer('Id of the subscription.'), now: flagSwitch('Ends access immediately.') },
  run: async ({ change, clock, queues }, { id, now: immediately }) => {
    const { producer: jobs } = await queues();
    const cancelled = await change(async (tx, trail) => {
      await trail.changing('subscription', id);
      return cancelSubscription(tx, { clock, jobs }, { id, immediately });
    });
    return shown(cancelled, immediately ? 'The access has ended.' : 'The renewal is cancelled.');
  },
});
