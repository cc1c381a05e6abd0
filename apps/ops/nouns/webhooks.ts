import { gatewayEventRepo } from '#data/postgres/subscriptions/gateway-events.ts';
import { retryMessageVerb } from '#operator/gateway-messages.ts';
import { OpsError, verb } from '../command.ts';
import type { Noun } from '../command.ts';
import { integer, maybeInteger, oneOf } from '#operator/flags.ts';

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
    retry: retryMessageVerb,
  },
};
