import { retryMessage } from '#commands/subscriptions/retry-message.ts';
import { gatewayEventRepo } from '#data/postgres/subscriptions/gateway-events.ts';
import { verb } from '../command.ts';
import type { Noun } from '../command.ts';
import { integer, maybeInteger, oneOf } from '../flags.ts';

const states = ['received', 'applied', 'ignored', 'parked'] as const;

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
        return { data: { webhooks: events, parked }, table };
      },
    }),
    retry: verb({
      summary: 'Applies a message again, for example a parked one whose account exists now.',
      flags: { id: integer('Id of the message (webhooks list).') },
      run: async ({ change, queues }, { id }) => {
        const { producer: jobs } = await queues();
        await change((tx, trail) => retryMessage(tx, { jobs, trail }, { id }));
        return { data: { id, enqueued: true } };
      },
    }),
  },
};
