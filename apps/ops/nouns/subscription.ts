import { subscriptionRepo } from '#data/postgres/subscriptions/subscriptions.ts';
import { verb } from '../command.ts';
import type { Noun } from '../command.ts';
import { findUser } from '#operator/find.ts';
import { email, maybeInteger } from '#operator/flags.ts';
import { cancelVerb, extendVerb, giftVerb, grantVerb } from '#operator/subscriptions.ts';
import { showVerb } from './subscription-show.ts';
import { signVerb } from './subscription-sign.ts';

export const subscription: Noun = {
  name: 'subscription',
  summary: 'Subscriptions of users: product and end date.',
  verbs: {
    grant: grantVerb,
    extend: extendVerb,
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
    cancel: cancelVerb,
  },
};
