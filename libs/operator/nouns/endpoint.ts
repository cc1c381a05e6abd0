import { z } from 'zod';
import { addEndpoint, rotateSecret } from '#commands/webhooks.ts';
import { webhookDeliveryRepo, webhookDeliveryWrites } from '#store/postgres/webhooks/deliveries.ts';
import { webhookEndpointRepo, webhookEndpointWrites } from '#store/postgres/webhooks/endpoints.ts';
import { eventNames, messageOf, openEventNames, testEvent } from '#domain/webhooks/events.ts';
import type { WebhookEvent } from '#domain/webhooks/events.ts';
import { integer, maybeInteger, row, text } from '../flags.ts';
import { change, found, view } from '../verb.ts';
import type { Noun } from '../verb.ts';

const isEvent = (name: string): name is WebhookEvent => (eventNames as string[]).includes(name);

const events = {
  schema: z
    .string()
    .default(openEventNames.join(','))
    .transform((given, ctx): WebhookEvent[] => {
      const names = [...new Set(given.split(',').map((name) => name.trim()))];
      const wrong = names.find((name) => !isEvent(name));
      if (wrong === undefined) return names.filter(isEvent);
      ctx.addIssue(`"${wrong}" is not an event: ${eventNames.join(', ')}`);
      return z.NEVER;
    }),
  text: `Events, comma-separated; default: ${openEventNames.join(',')}. feed.down is for operators.`,
};

const kind = 'webhook endpoint';
const byId = { id: row(kind, integer('Id of the endpoint (endpoint list).')) };
const missing = (id: number) => `There is no endpoint ${id}.`;

/** Developers run the changes on their own endpoints. */
export const endpoint = {
  name: 'endpoint',
  title: 'Webhooks',
  summary: 'Webhooks of applications: where messages are sent, and what became of them.',
  kind,
  verbs: {
    add: change({
      summary: 'Adds an endpoint and shows its secret once.',
      isShownOnce: true,
      flags: { devkey: integer('Id of the developer key.'), url: text('Where messages are sent.'), events },
      run: async (tools, { devkey: developerKeyId, ...given }) => {
        const { id, secret } = await addEndpoint(tools.tx, tools, { developerKeyId, ...given });
        tools.trail.created(kind, id);
        return { data: { id, secret } };
      },
    }),
    rotate: change({
      summary: 'Gives an endpoint a new secret, shown once; for a day the previous secret signs, too.',
      isShownOnce: true,
      flags: byId,
      run: async (tools, { id }) => {
        const { secret } = await rotateSecret(tools.tx, tools, { id });
        return { data: { id, secret } };
      },
    }),
    test: change({
      summary: `Sends a message of the type ${testEvent} to an endpoint.`,
      flags: byId,
      run: async ({ tx, now }, { id }) => {
        found(Number(await webhookEndpointWrites(tx).isThere(id)), missing(id));
        const message = messageOf(testEvent, now, {});
        const delivery = await webhookDeliveryWrites(tx).insert(id, testEvent, message, now);
        return { data: { id, delivery }, notice: 'A test message is on its way.' };
      },
    }),
    enable: change({
      summary: 'Switches a disabled endpoint on again; waiting messages are sent.',
      flags: byId,
      run: async ({ tx }, { id }) => {
        found(await webhookEndpointWrites(tx).enable(id), missing(id));
        return 'The endpoint is switched on; waiting messages are sent.';
      },
    }),
    replay: change({
      summary: 'Sends a message again, with the same id.',
      flags: {
        delivery: row(
          kind,
          integer('Id of the delivery (endpoint show).', 1, Number.MAX_SAFE_INTEGER),
          async (db, id) =>
            found(await webhookDeliveryRepo(db).byId(id), `There is no delivery ${id}.`).endpointId,
        ),
      },
      run: async ({ tx, now }, { delivery: id }) => {
        await webhookDeliveryWrites(tx).replay(id, now);
        return 'The message is sent again.';
      },
    }),
    remove: change({
      summary: 'Removes an endpoint with its deliveries.',
      flags: byId,
      isIrreversible: true,
      run: async ({ tx }, { id }) => {
        found(await webhookEndpointWrites(tx).remove(id), missing(id));
        return 'The endpoint is removed.';
      },
    }),
    list: view({
      summary: 'Lists endpoints, without their secrets.',
      flags: { devkey: maybeInteger('Id of the developer key; default: all.') },
      run: async ({ db }, { devkey = null }) => ({
        data: { endpoints: await webhookEndpointRepo(db).list(devkey) },
      }),
    }),
    show: view({
      summary: 'Shows an endpoint with its last deliveries.',
      flags: { ...byId, limit: maybeInteger('Maximum number of deliveries; default 20.') },
      run: async ({ db }, { id, limit = 20 }) => {
        const shown = found(await webhookEndpointRepo(db).byId(id), missing(id));
        const deliveries = await webhookDeliveryRepo(db).list(id, limit);
        return {
          data: {
            endpoint: shown,
            deliveries: deliveries.map((each) => ({ delivery: each.id, ...each })),
          },
          columns: {
            deliveries: 'delivery event createdAt attempts nextAt lastStatus lastError deliveredAt',
          },
          offers: () => ['replay'],
        };
      },
    }),
  },
} satisfies Noun;
