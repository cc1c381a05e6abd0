import { claimPurchases } from '#commands/subscriptions/messages.ts';
import { gatewayEventRepo, gatewayEventWrites } from '#store/postgres/subscriptions/gateway-events.ts';
import { DomainError } from '#domain/errors.ts';
import { webhookApply } from '#domain/jobs/contracts.ts';
import { findUser } from '../find.ts';
import { email, integer, maybe, oneOf, paging, row } from '../flags.ts';
import { change, found, UsageError, view } from '../verb.ts';
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
      run: async ({ db }, { state = null, limit, offset }) => ({
        data: { webhooks: await gatewayEventRepo(db).list(state, limit, offset) },
        offers: ({ state: now }) => (now === 'applied' ? [] : ['retry']),
      }),
    }),
    show: view({
      summary: 'Shows what is known of a message, with the whole reason.',
      flags: { id },
      run: async ({ db }, { id: message }) => {
        const event = found(await gatewayEventRepo(db).byId(message), `There is no message ${message}.`);
        // The raw message may identify people.
        const { raw: _, ...webhook } = event;
        return { data: { webhook } };
      },
    }),
    retry: change({
      summary: 'Applies a message again, or all parked ones of a buyer whose account exists now.',
      flags: {
        id: maybe(id),
        email: maybe(
          email,
          'Account that the message belongs to; without --id: every parked message of this address.',
        ),
      },
      run: async ({ tx, trail, jobs }, { id: message, email: address }) => {
        const userId = address === undefined ? undefined : (await findUser(tx, address)).id;
        if (message !== undefined) {
          const event = found(await gatewayEventRepo(tx).byId(message), `There is no message ${message}.`);
          if (event.state === 'applied')
            throw new DomainError('APPLIED', {}, `Message ${message} is applied.`);
          if (userId !== undefined) await gatewayEventWrites(tx).assign(message, userId);
          await jobs.enqueue(tx, webhookApply, { eventId: message });
          return `Message ${message} is queued.`;
        }
        if (userId === undefined) throw new UsageError('Give --id, --email or both.');
        await trail.changing('user', userId);
        const ids = await claimPurchases(tx, { jobs }, { userId });
        found(ids.length, `No message of ${address} is parked.`);
        return `Message ${ids.join(', ')} is queued.`;
      },
    }),
  },
};
