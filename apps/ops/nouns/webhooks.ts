import { claimPurchases } from '#commands/subscriptions/claim-purchases.ts';
import { retryMessage } from '#commands/subscriptions/retry-message.ts';
import { gatewayEventRepo } from '#data/postgres/subscriptions/gateway-events.ts';
import { OpsError, UsageError, verb } from '../command.ts';
import type { Noun } from '../command.ts';
import { findUser } from '../find.ts';
import { email, integer, maybeInteger, oneOf } from '../flags.ts';

const states = ['received', 'applied', 'ignored', 'parked'] as const;

const byId = { id: integer('Id of the message (webhooks list).') };

const notFound = (id: number) => new OpsError('NOT_FOUND', `There is no message ${id}.`);

export const webhooks: Noun = {
  name: 'webhooks',
  summary: 'Messages of payment gateways.',
  verbs: {
    list: verb({
      summary: 'Lists messages, newest first; parked ones wait for an account or a product.',
      flags: {
        state: {
          ...oneOf(states, ''),
          schema: oneOf(states, '').schema.optional(),
          text: `${states.join(', ')}; default: all.`,
        },
        limit: maybeInteger('Maximum number of rows; default 100.'),
      },
      run: async ({ postgres: { db } }, { state, limit = 100 }) => {
        const repo = gatewayEventRepo(db);
        const events = await repo.list(state ?? null, limit);
        const parked = await repo.list('parked', limit);
        const table = events.map((event) => ({
          id: event.id,
          gateway: event.gateway,
          event: event.event,
          reference: event.reference,
          received: event.receivedAt,
          occurred: event.occurredAt,
          state: event.state,
          subscription: event.subscriptionId,
          reason: event.reason,
        }));
        return { data: { webhooks: events, parked }, table, whole: 'webhooks show ID' };
      },
    }),
    show: verb({
      summary: 'Shows what is known of a message, with the whole reason.',
      flags: byId,
      run: async ({ postgres }, { id }) => {
        const event = await gatewayEventRepo(postgres.db).byId(id);
        if (!event) throw notFound(id);
        // The bytes may name people.
        const { raw: _, contentType: __, ...listed } = event;
        return { data: { webhook: listed }, record: listed };
      },
    }),
    retry: verb({
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
        if (ids.length === 0) throw new OpsError('NOT_FOUND', `No message of ${address} is parked.`);
        return { data: { ids, enqueued: true } };
      },
    }),
  },
};
