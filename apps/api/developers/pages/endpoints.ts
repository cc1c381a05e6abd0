/** Webhook endpoints of an application: added and rotated with the secret shown once, deliveries with replay. */
import { z } from 'zod';
import { webhookDeliveryRepo } from '#store/postgres/webhooks/deliveries.ts';
import type { WebhookDelivery } from '#store/postgres/webhooks/deliveries.ts';
import { webhookEndpointRepo } from '#store/postgres/webhooks/endpoints.ts';
import type { WebhookEndpoint } from '#store/postgres/webhooks/endpoints.ts';
import { DomainError } from '#domain/errors.ts';
import { endpointVerbs } from '#operator/nouns/endpoint.ts';
import { runChange } from '#operator/verb.ts';
import { openEventNames, webhookEvents } from '#domain/webhooks/events.ts';
import {
  badge,
  button,
  checkbox,
  confirmed,
  facts,
  field,
  hidden,
  orDash,
  prettyJson,
  shownOnce,
  table,
  time,
} from '../../site/parts.ts';
import { html } from '../../pages/html.ts';
import {
  base,
  developerAction,
  developerPage,
  idSchema,
  ownApplication,
  ownApplicationInUse,
} from '../define.ts';
import type { DeveloperTools } from '../define.ts';
import { applicationLinks } from './application.ts';

const shownDeliveries = 50;

const ofEndpoint = { id: idSchema, endpoint: idSchema };
const pageOf = (id: number, endpoint: number): string => `/endpoint?id=${id}&endpoint=${endpoint}`;

/** Throws NOT_FOUND. */
const ownEndpoint = async (tools: Pick<DeveloperTools, 'db' | 'session'>, id: number, endpoint: number) => {
  const { name } = await ownApplicationInUse(tools, id);
  const found = await webhookEndpointRepo(tools.db).byId(endpoint);
  if (found?.developerKeyId !== id)
    throw new DomainError('NOT_FOUND', {}, `${name} has no endpoint ${endpoint}.`);
  return found;
};

const deliveryIdSchema = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

/** Throws NOT_FOUND. */
const ownDelivery = async ({ db }: Pick<DeveloperTools, 'db'>, endpoint: number, delivery: number) => {
  const found = await webhookDeliveryRepo(db).byId(delivery);
  if (found?.endpointId !== endpoint)
    throw new DomainError('NOT_FOUND', {}, `There is no message ${delivery}.`);
};

const stateOf = ({ disabledAt, failingSince }: WebhookEndpoint) => {
  if (disabledAt) return badge('down', 'switched off');
  return failingSince ? badge('late', 'failing') : badge('up', 'in use');
};

export const endpointsPage = developerPage(
  '/endpoints',
  z.object({ id: idSchema }),
  async (tools, { id }) => {
    const { name, revokedAt } = await ownApplication(tools, id);
    const endpoints = await webhookEndpointRepo(tools.db).list(id);
    const rows = endpoints.map((each) => [
      html`<a href="${base}${pageOf(id, each.id)}">${each.url}</a>`,
      each.events.join(', '),
      stateOf(each),
      time(each.createdAt),
    ]);
    return {
      title: `Webhooks of ${name}`,
      main: html`${applicationLinks(id, 'Webhooks')}
        <p class="hint">Events are sent to an HTTPS address of the application, signed. <a href="/docs/guide/events">The guide</a> has every event and how to verify it.</p>
        ${table('Endpoints', ['Address', 'Events', 'State', 'Created'], rows)}
        ${
          !revokedAt &&
          html`<h2>A new endpoint</h2>
            <form class="sheet" method="post" action="${base}/endpoints/add">
              ${hidden(tools, { id })} ${field('Address', 'url', html`type="url" required maxlength="500" placeholder="https://efb.example/hooks"`)}
              <fieldset>
                <legend>Events</legend>
                ${openEventNames.map((event) => checkbox(`${event}: ${webhookEvents[event].summary}`, event, true))}
              </fieldset>
              <button>Add endpoint</button>
            </form>`
        }`,
    };
  },
);

const outcomeOf = ({ deliveredAt, nextAt, lastStatus, lastError }: WebhookDelivery) => {
  if (deliveredAt) return badge('up', `delivered, ${lastStatus ?? ''}`);
  if (nextAt) return badge(lastError === null ? 'seed' : 'late', lastError ?? 'waits');
  return badge('down', lastError ?? 'given up');
};

export const endpointPage = developerPage(
  '/endpoint',
  z.object(ofEndpoint),
  async (tools, { id, endpoint }) => {
    const found = await ownEndpoint(tools, id, endpoint);
    const deliveries = await webhookDeliveryRepo(tools.db).list(endpoint, shownDeliveries);
    const { formToken } = tools;
    const options = (action: string) => ({
      base,
      formToken,
      action: `/endpoints/${action}`,
      fields: { id, endpoint },
    });
    return {
      title: 'Webhook endpoint',
      main: html`${applicationLinks(id, 'Webhooks')}
        ${facts([
          ['Address', found.url],
          ['State', stateOf(found)],
          ['Events', found.events.join(', ')],
          ['Failing since', time(found.failingSince)],
          ['Created', time(found.createdAt)],
        ])}
        <div class="actions">
          ${button('Send a test', options('test'))} ${found.disabledAt && button('Switch on again', options('enable'))}
          ${confirmed('Rotate secret', 'A new secret is shown once. For a day both sign, so that the receiver can be changed.', options('rotate'))}
          ${confirmed('Remove', 'The endpoint is deleted with its deliveries.', options('remove'))}
        </div>
        <h2>Deliveries</h2>
        ${table(
          'Deliveries',
          ['Id', 'Event', 'Created (UTC)', 'Attempts', 'Outcome', 'Next attempt', 'Message', ''],
          deliveries.map((each) => [
            each.id,
            each.event,
            time(each.createdAt),
            each.attempts,
            outcomeOf(each),
            orDash(each.nextAt?.toISOString().slice(0, 16).replace('T', ' ')),
            html`<details class="log"><summary>Show<span class="unseen"> message ${each.id}</span></summary><pre tabindex="0">${prettyJson(each.body)}</pre></details>`,
            button('Replay', {
              base,
              formToken,
              action: '/endpoints/replay',
              fields: { id, endpoint, delivery: each.id },
              about: `message ${each.id}`,
              isPlain: true,
            }),
          ]),
        )}`,
    };
  },
);

const secretView = (id: number, endpoint: unknown, secret: string) =>
  shownOnce('Secret of the endpoint', html`<p><code class="key">${secret}</code></p>`, {
    href: `${base}${pageOf(id, Number(endpoint))}`,
    text: 'To the endpoint',
  });

/** The verb of the operator on an endpoint of one's own; answers with its page, or with a secret. */
const onEndpoint = (name: keyof typeof endpointVerbs, to: typeof pageOf = pageOf) =>
  developerAction({
    path: `/endpoints/${name}`,
    audit: `endpoint ${name}`,
    form: z.object({ ...ofEndpoint, delivery: deliveryIdSchema.optional() }),
    run: async (tools, { id, endpoint, delivery }) => {
      await ownEndpoint(tools, id, endpoint);
      if (name === 'replay') await ownDelivery(tools, endpoint, delivery ?? 0);
      const { data, notice = '' } = await runChange(endpointVerbs[name], tools, { id: endpoint, delivery });
      return typeof data['secret'] === 'string'
        ? secretView(id, endpoint, data['secret'])
        : { notice, to: to(id, endpoint) };
    },
  });

export const endpointActions = [
  developerAction({
    path: '/endpoints/add',
    audit: 'endpoint add',
    form: z.object({ id: idSchema, url: z.string().max(500) }).catchall(z.string()),
    run: async (tools, { id, url, ...chosen }) => {
      await ownApplicationInUse(tools, id);
      const events = openEventNames.filter((event) => chosen[event] === 'yes');
      const { data } = await runChange(endpointVerbs.add, tools, { devkey: id, url, events });
      return secretView(id, data['id'], String(data['secret']));
    },
  }),
  ...(['rotate', 'test', 'enable', 'replay'] as const).map((name) => onEndpoint(name)),
  onEndpoint('remove', (id) => `/endpoints?id=${id}`),
];
