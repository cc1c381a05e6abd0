import { z } from 'zod';
import { addEndpoint } from '#commands/webhooks/add-endpoint.ts';
import { rotateSecret } from '#commands/webhooks/rotate-secret.ts';
import { DomainError } from '#domain/errors.ts';
import { eventNames, messageOf, openEventNames, testEvent } from '#domain/webhooks/events.ts';
import type { WebhookEvent } from '#domain/webhooks/events.ts';
import { webhookDeliveryRepo, webhookDeliveryWrites } from '#data/postgres/webhooks/deliveries.ts';
import { webhookEndpointWrites } from '#data/postgres/webhooks/endpoints.ts';
import { integer, text } from './flags.ts';
import { operatorVerb } from './verb.ts';

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
const byId = { id: integer('Id of the endpoint (endpoint list).') };

const missing = (id: number) => new DomainError('NOT_FOUND', {}, `There is no endpoint ${id}.`);

export const addEndpointVerb = operatorVerb({
  summary: 'Adds an endpoint and shows its secret once.',
  flags: { devkey: integer('Id of the developer key.'), url: text('Where messages are sent.'), events },
  run: async ({ change, clock, config }, { devkey: developerKeyId, url, events: chosen }) => {
    const { id, secret } = await change(async (tx, trail) => {
      const made = await addEndpoint(tx, { clock, config }, { developerKeyId, url, events: chosen });
      trail.created(kind, made.id);
      return made;
    });
    return { data: { id, secret }, notice: `Endpoint ${id} is added.` };
  },
});

export const rotateSecretVerb = operatorVerb({
  summary: 'Gives an endpoint a new secret, shown once; for a day the one before signs, too.',
  flags: byId,
  run: async ({ change, clock, config }, { id }) => {
    const data = await change(async (tx, trail) => {
      await trail.changing(kind, id);
      return rotateSecret(tx, { clock, config }, { id });
    });
    return { data: { id, ...data }, notice: `Endpoint ${id} has a new secret.` };
  },
});

export const testEndpointVerb = operatorVerb({
  summary: `Sends a message of the type ${testEvent} to an endpoint.`,
  flags: byId,
  run: async ({ change, clock }, { id }) => {
    const delivery = await change(async (tx, trail) => {
      await trail.changing(kind, id);
      const now = clock.now();
      if (!(await webhookEndpointWrites(tx).isThere(id))) throw missing(id);
      return webhookDeliveryWrites(tx).insert(id, testEvent, messageOf(testEvent, now, {}), now);
    });
    return { data: { id, delivery }, notice: 'A test message is on its way.' };
  },
});

export const enableEndpointVerb = operatorVerb({
  summary: 'Switches a disabled endpoint on again; what waits is sent.',
  flags: byId,
  run: async ({ change }, { id }) => {
    await change(async (tx, trail) => {
      await trail.changing(kind, id);
      if ((await webhookEndpointWrites(tx).enable(id)) === 0) throw missing(id);
    });
    return { data: { id, enabled: true }, notice: `Endpoint ${id} is switched on.` };
  },
});

export const replayDeliveryVerb = operatorVerb({
  summary: 'Sends a message again, with the same id.',
  flags: { delivery: integer('Id of the delivery (endpoint show).') },
  run: async ({ postgres, change, clock }, { delivery: id }) => {
    const found = await webhookDeliveryRepo(postgres.db).byId(id);
    if (!found) throw new DomainError('NOT_FOUND', {}, `There is no delivery ${id}.`);
    await change(async (tx, trail) => {
      await trail.changing(kind, found.endpointId);
      await webhookDeliveryWrites(tx).replay(id, clock.now());
    });
    return { data: { delivery: id, replayed: true }, notice: 'The message is sent again.' };
  },
});

export const removeEndpointVerb = operatorVerb({
  summary: 'Removes an endpoint with its deliveries.',
  flags: byId,
  isIrreversible: true,
  run: async ({ change }, { id }) => {
    await change(async (tx, trail) => {
      await trail.changing(kind, id);
      if ((await webhookEndpointWrites(tx).remove(id)) === 0) throw missing(id);
    });
    return { data: { id, removed: true }, notice: `Endpoint ${id} is removed.` };
  },
});
