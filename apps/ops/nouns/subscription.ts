import { z } from 'zod';
import { subscriptionRepo } from '#data/postgres/subscriptions/subscriptions.ts';
import type { ListedSubscription } from '#data/postgres/subscriptions/subscriptions.ts';
import { cancelSubscription } from '#commands/subscriptions/cancel.ts';
import { extendSubscription } from '#commands/subscriptions/extend.ts';
import { grantSubscription } from '#commands/subscriptions/grant.ts';
import { verb } from '../command.ts';
import type { Answer, Noun } from '../command.ts';
import { findUser } from '../find.ts';
import { email, flagSwitch, integer, maybeInteger, maybeText, text } from '../flags.ts';
import { showVerb } from './subscription-show.ts';
import { signVerb } from './subscription-sign.ts';
import { giftVerb } from './user.ts';

const answer = (subscription: ListedSubscription): Answer => ({
  data: { subscription },
  table: [{ ...subscription }],
});

export const subscription: Noun = {
  name: 'subscription',
  summary: 'Subscriptions of users: product and end date.',
  verbs: {
    grant: verb({
      summary: 'Grants a product to a user, starting now.',
      flags: {
        email: email(),
        product: text('Code of the product (product list).'),
        days: maybeInteger('Days; default: those of the product.'),
        gateway: {
          schema: z.enum(['card', 'wallet', 'store']).optional(),
          text: 'Records it as bought through card, wallet or store.',
        },
        reference: maybeText('Reference of the payment gateway.'),
      },
      run: async (
        { postgres, change, clock, queues },
        { email: address, product: productCode, ...values },
      ) => {
        const { id: userId } = await findUser(postgres.db, address);
        const jobs = (await queues()).producer;
        const grant = { ...values, userId, productCode };
        return answer(
          await change(async (tx, trail) => {
            const granted = await grantSubscription(tx, { clock, jobs }, grant);
            trail.created('subscription', granted.id);
            return granted;
          }),
        );
      },
    }),
    extend: verb({
      summary: 'Adds days to a subscription.',
      flags: { id: integer('Id of the subscription (subscription list).'), days: integer('Days to add.') },
      run: async ({ change, clock, queues }, given) => {
        const jobs = (await queues()).producer;
        return answer(
          await change(async (tx, trail) => {
            await trail.changing('subscription', given.id);
            return extendSubscription(tx, { clock, jobs }, given);
          }),
        );
      },
    }),
    gift: giftVerb,
    show: showVerb,
    sign: signVerb,
    list: verb({
      summary: 'Lists the subscriptions of one user, or the latest of all users.',
      flags: {
        email: { ...email(), schema: email().schema.optional() },
        limit: maybeInteger('Maximum number of rows; default 100.'),
      },
      run: async ({ postgres: { db } }, { email: address, limit = 100 }) => {
        const repo = subscriptionRepo(db);
        const subscriptions =
          address === undefined
            ? await repo.list(limit)
            : await repo.ofUser((await findUser(db, address)).id);
        return { data: { subscriptions }, table: subscriptions.map((row) => ({ ...row })) };
      },
    }),
    cancel: verb({
      summary: 'Ends renewal; access remains until the end date.',
      flags: {
        id: integer('Id of the subscription.'),
        now: flagSwitch('Ends access immediately.'),
      },
      run: async ({ change, clock, queues }, { id, now: immediately }) => {
        const jobs = (await queues()).producer;
        return answer(
          await change(async (tx, trail) => {
            await trail.changing('subscription', id);
            return cancelSubscription(tx, { clock, jobs }, { id, immediately });
          }),
        );
      },
    }),
  },
};
