import { claimPurchases } from '#commands/subscriptions/messages.ts';
import { gatewayEventRepo, gatewayEventWrites } from '#store/postgres/subscriptions/gateway-events.ts';
import { DomainError } from '#domain/errors.ts';
import { webhookApply } from '#domain/jobs/contracts.ts';
import { findUser } from '../find.ts';
import { email, integer, maybe, oneOf, paging, row } from '../flags.ts';
import { found, UsageError, verb, view } from '../verb.ts';
import type { Noun } from '../verb.ts';

const states = ['received', 'applied', 'ignored', 'parked'] as const;
const id = row('message', integer('Id of the message (webhooks list).'));

export const webhooks: Noun = {
  name: 'webhooks',
  title: 'Messages of gateways',
  summary: 'Messages of payment gateways.',
  kind: 'message',
  verbs: {
    list: view({
      summary: 'Lists messages, newest first; parked ones wait for an account or a product.',
      flags: { state: maybe(oneOf(states, `${states.join(', ')}; default: all.`)), ...paging },
      run: async ({ postgres: { db } }, { state, limit = 100, offset = 0 }) => {
        const repo = gatewayEventRepo(db);
        const events = await repo.list(state ?? null, limit, offset);
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
        return {
          data: { webhooks: events, parked },
          table,
          whole: 'webhooks show ID',
          actionsOf: ({ id: message, state: now }) => (now === 'applied' ? {} : { retry: { id: message } }),
        };
      },
    }),
    show: view({
      summary: 'Shows what is known of a message, with the whole reason.',
      flags: { id },
      run: async ({ postgres }, { id: message }) => {
        const event = found(
          await gatewayEventRepo(postgres.db).byId(message),
          `There is no message ${message}.`,
        );
        // The bytes may name people.
        const { raw: _, contentType: __, ...listed } = event;
        return { data: { webhook: listed } };
      },
    }),
    retry: verb({
      summary: 'Applies a message again, or all parked ones of a buyer whose account exists now.',
      flags: {
        id: maybe(id),
        email: maybe(
          email,
          'Account that the message belongs to; without --id: every parked message of this address.',
        ),
      },
      run: async ({ postgres, change, queues }, { id: message, email: address }) => {
        if (message === undefined && address === undefined)
          throw new UsageError('Give --id, --email or both.');
        const userId = address === undefined ? undefined : (await findUser(postgres.db, address)).id;
        const { producer: jobs } = await queues();
        const ids = await change(async (tx, trail) => {
          if (message === undefined) {
            await trail.changing('user', userId ?? 0);
            return claimPurchases(tx, { jobs }, { userId: userId ?? 0 });
          }
          const event = found(await gatewayEventRepo(tx).byId(message), `There is no message ${message}.`);
          if (event.state === 'applied')
            throw new DomainError('APPLIED', {}, `Message ${message} is applied.`);
          if (userId !== undefined) await gatewayEventWrites(tx).assign(message, userId);
          await jobs.enqueue(tx, webhookApply, { eventId: message });
          return [message];
        });
        if (ids.length === 0) throw new DomainError('NOT_FOUND', {}, `No message of ${address} is parked.`);
        return { data: { ids, enqueued: true }, notice: `Message ${ids.join(', ')} is queued.` };
      },
    }),
  },
};
