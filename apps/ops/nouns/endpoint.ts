import { webhookDeliveryRepo } from '#data/postgres/webhooks/deliveries.ts';
import { webhookEndpointRepo } from '#data/postgres/webhooks/endpoints.ts';
import { integer, maybeInteger } from '#operator/flags.ts';
import {
  addEndpointVerb,
  enableEndpointVerb,
  removeEndpointVerb,
  replayDeliveryVerb,
  rotateSecretVerb,
  testEndpointVerb,
} from '#operator/webhook-endpoints.ts';
import { OpsError, verb } from '../command.ts';
import type { Noun } from '../command.ts';

export const endpoint: Noun = {
  name: 'endpoint',
  summary: 'Webhooks of applications: where messages are sent, and what became of them.',
  verbs: {
    add: addEndpointVerb,
    list: verb({
      summary: 'Lists endpoints, without their secrets.',
      flags: { devkey: maybeInteger('Id of the developer key; default: all.') },
      run: async ({ postgres }, { devkey }) => {
        const endpoints = await webhookEndpointRepo(postgres.db).list(devkey ?? null);
        return {
          data: { endpoints },
          table: endpoints.map((each) => ({ ...each })),
          whole: 'endpoint show ID',
        };
      },
    }),
    show: verb({
      summary: 'Shows an endpoint with its last deliveries.',
      flags: {
        id: integer('Id of the endpoint (endpoint list).'),
        limit: maybeInteger('Maximum number of deliveries; default 20.'),
      },
      run: async ({ postgres: { db } }, { id, limit = 20 }) => {
        const found = await webhookEndpointRepo(db).byId(id);
        if (!found) throw new OpsError('NOT_FOUND', `There is no endpoint ${id}.`);
        const deliveries = await webhookDeliveryRepo(db).list(id, limit);
        const shown = deliveries.map((each) => ({
          id: each.id,
          event: each.event,
          created: each.createdAt,
          attempts: each.attempts,
          next: each.nextAt,
          status: each.lastStatus,
          error: each.lastError,
          delivered: each.deliveredAt,
        }));
        return {
          data: { endpoint: found, deliveries },
          tables: { endpoint: [{ ...found }], deliveries: shown },
        };
      },
    }),
    rotate: rotateSecretVerb,
    test: testEndpointVerb,
    enable: enableEndpointVerb,
    replay: replayDeliveryVerb,
    remove: removeEndpointVerb,
  },
};
