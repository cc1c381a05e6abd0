import { z } from 'zod';
import { addSeconds } from '#domain/time.ts';
import { productRepo } from '#data/postgres/subscriptions/products.ts';
import { subscriptionRepo } from '#data/postgres/subscriptions/subscriptions.ts';
import type { ListedSubscription } from '#data/postgres/subscriptions/subscriptions.ts';
import type { Db } from '#data/postgres/sql.ts';
import { OpsError, verb } from '../command.ts';
import type { Answer, Noun } from '../command.ts';
import { findUser } from '../find.ts';
import { email, flagSwitch, integer, maybeInteger, maybeText, text } from '../flags.ts';
import { giftVerb } from './user.ts';

const byId = async (db: Db, id: number): Promise<ListedSubscription> => {
  const found = await subscriptionRepo(db).byId(id);
  if (!found) throw new OpsError('NOT_FOUND', `There is no subscription ${id}.`);
  return found;
};

const answer = (subscription: ListedSubscription): Answer => ({
  data: { subscription },
  table: [{ ...subscription }],
});

export const subscription: Noun = {
  name: 'subscription',
  summary: 'Who may use what, until when.',
  verbs: {
    grant: verb({
      summary: 'Gives a product to a user, from now.',
      flags: {
        email: email(),
        product: text('Code of the product (product list).'),
        days: maybeInteger("Days; default: the product's own."),
        gateway: {
          schema: z.enum(['card', 'wallet', 'store']).optional(),
          text: 'Books it as bought through card, wallet or store.',
        },
        reference: maybeText("The gateway's own reference."),
      },
      run: async ({ postgres: { db }, clock }, values) => {
        const user = await findUser(db, values.email);
        const product = await productRepo(db).byCode(values.product);
        if (!product) throw new OpsError('NOT_FOUND', `There is no product ${values.product}.`);
        if (!product.isActive) throw new OpsError('INACTIVE', `The product ${product.code} is not active.`);
        const now = clock.now();
        const subscriptions = subscriptionRepo(db);
        const id = await subscriptions.create({
          userId: user.id,
          productCode: product.code,
          gateway: values.gateway ? await subscriptions.gatewayOf(values.gateway) : null,
          reference: values.reference ?? null,
          startsAt: now,
          endsAt: addSeconds(now, (values.days ?? product.durationDays) * 86_400),
        });
        return answer(await byId(db, id));
      },
    }),
    extend: verb({
      summary: 'Adds days to a subscription.',
      flags: { id: integer('Id of the subscription (subscription list).'), days: integer('Days to add.') },
      run: async ({ postgres: { db }, clock }, { id, days }) => {
        await byId(db, id);
        await subscriptionRepo(db).extend(id, days, clock.now());
        return answer(await byId(db, id));
      },
    }),
    gift: giftVerb,
    list: verb({
      summary: 'Subscriptions of one user, or the latest of all.',
      flags: {
        email: { ...email(), schema: email().schema.optional() },
        limit: maybeInteger('At most so many; default 100.'),
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
      summary: 'Ends renewal; access stays until the end date.',
      flags: {
        id: integer('Id of the subscription.'),
        now: flagSwitch('Ends access at once.'),
      },
      run: async ({ postgres: { db }, clock }, values) => {
        await byId(db, values.id);
        await subscriptionRepo(db).cancel(values.id, values.now ? clock.now() : null);
        return answer(await byId(db, values.id));
      },
    }),
  },
};
