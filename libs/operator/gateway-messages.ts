import { claimPurchases } from '#commands/subscriptions/claim-purchases.ts';
import { retryMessage } from '#commands/subscriptions/retry-message.ts';
import { DomainError } from '#domain/errors.ts';
import { findUser } from './find.ts';
import { email, maybeInteger } from './flags.ts';
import { operatorVerb, UsageError } from './verb.ts';

export const retryMessageVerb = operatorVerb({
  summary: 'Applies a message again, or all parked ones of a buyer whose account exists now.',
  flags: {
    id: maybeInteger('Id of the message (webhooks list).'),
    email: {
      ...email(),
      schema: email().schema.optional(),
      text: 'Account that the message belongs to; without --id: every parked message of this address.',
    },
  },
  run: async ({ postgres, change, queues }, { id, email: address }) => {
    if (id === undefined && address === undefined) throw new UsageError('Give --id, --email or both.');
    const userId = address === undefined ? undefined : (await findUser(postgres.db, address)).id;
    const { producer: jobs } = await queues();
    const ids = await change(async (tx, trail) => {
      if (id === undefined) {
        await trail.changing('user', userId ?? 0);
        return claimPurchases(tx, { jobs }, { userId: userId ?? 0 });
      }
      await retryMessage(tx, { jobs, trail }, { id, userId });
      return [id];
    });
    if (ids.length === 0) throw new DomainError('NOT_FOUND', {}, `No message of ${address} is parked.`);
    return { data: { ids, enqueued: true }, notice: `Message ${ids.join(', ')} is queued.` };
  },
});
