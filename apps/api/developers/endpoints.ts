/** Webhook endpoints of an application: added and rotated with the secret shown once, deliveries with replay. */
import { z } from 'zod';
import type { Application } from '#store/postgres/developer-keys/developer-keys.ts';
import { webhookDeliveryRepo } from '#store/postgres/webhooks/deliveries.ts';
import { webhookEndpointRepo } from '#store/postgres/webhooks/endpoints.ts';
import type { WebhookEndpoint } from '#store/postgres/webhooks/endpoints.ts';
import { DomainError } from '#domain/errors.ts';
import { endpoint as noun } from '#operator/nouns/endpoint.ts';
import { runChange } from '#operator/verb.ts';
import { openEventNames, webhookEvents } from '#domain/webhooks/events.ts';
import { answerHtml, prettyJson } from '../console/cells.ts';
import { badge, button, checkbox, confirmed, field, form } from '../site/parts.ts';
import { html } from '../pages/html.ts';
import {
  applicationLinks,
  base,
  formTo,
  idSchema,
  longIdSchema,
  ownAction,
  ownPage,
  secretView,
} from './define.ts';
import type { DeveloperTools } from './define.ts';

const shownDeliveries = 50;

const pageOf = (id: number, endpoint: number): string => `/endpoint?id=${id}&endpoint=${endpoint}`;

/** Throws NOT_FOUND. */
const ownEndpoint = async (
  { db }: Pick<DeveloperTools, 'db'>,
  { id, name, revokedAt }: Application,
  endpoint: number,
) => {
  const found = await webhookEndpointRepo(db).byId(endpoint);
  if (revokedAt !== null || found?.developerKeyId !== id)
    throw new DomainError('NOT_FOUND', {}, `${name} has no endpoint ${endpoint}.`);
  return found;
};

const shownOf = ({ events, disabledAt, failingSince, createdAt }: WebhookEndpoint) => ({
  events,
  state: disabledAt
    ? badge('down', 'switched off')
    : failingSince
      ? badge('late', 'failing')
      : badge('up', 'in use'),
  failingSince,
  created: createdAt,
});

export const endpointsPage = ownPage(z.object({}), async (tools, { id, name, revokedAt }) => {
  const endpoints = await webhookEndpointRepo(tools.db).list(id);
  const rows = endpoints.map((each) => ({
    address: html`<a href="${base}${pageOf(id, each.id)}">${each.url}</a>`,
    ...shownOf(each),
  }));
  const inputs = html`${field('Address', 'url', html`type="url" required maxlength="500" placeholder="https://efb.example/hooks"`)}
      <fieldset>
        <legend>Events</legend>
        ${openEventNames.map((event) => checkbox(`${event}: ${webhookEvents[event].summary}`, event, true))}
      </fieldset>`;
  return {
    title: `Webhooks of ${name}`,
    main: html`${applicationLinks(id, 'Webhooks')}
        <p class="hint">Events are sent to an HTTPS address of the application, signed. <a href="/docs/guide/events">The guide</a> has every event and how to verify it.</p>
        ${answerHtml({ data: { rows } }, { caption: 'Endpoints' })}
        ${!revokedAt && html`<h2>A new endpoint</h2>${form('Add endpoint', formTo(tools, '/endpoints/add', { id }), inputs)}`}`,
  };
});

export const endpointPage = ownPage(
  z.object({ endpoint: idSchema }),
  async (tools, application, { endpoint }) => {
    const { id } = application;
    const found = await ownEndpoint(tools, application, endpoint);
    const deliveries = await webhookDeliveryRepo(tools.db).list(endpoint, shownDeliveries);
    const to = (action: string, fields = {}) =>
      formTo(tools, `/endpoints/${action}`, { id, endpoint, ...fields });
    const rows = deliveries.map((each) => ({
      id: each.id,
      event: each.event,
      created: each.createdAt,
      attempts: each.attempts,
      nextAttempt: each.nextAt,
      status: each.lastStatus,
      error: each.lastError,
      delivered: each.deliveredAt,
      message: html`<details class="log"><summary>Show<span class="unseen"> message ${each.id}</span></summary><pre tabindex="0">${prettyJson(each.body)}</pre></details>`,
    }));
    const replay = ({ id: delivery }: { id: number }) =>
      button('Replay', {
        ...to('replay', { delivery }),
        about: `message ${delivery}`,
        isPlain: true,
      });
    return {
      title: 'Webhook endpoint',
      main: html`${applicationLinks(id, 'Webhooks')} ${answerHtml({ data: { record: { address: found.url, ...shownOf(found) } } }, { caption: 'Endpoint' })}
        <div class="actions">
          ${button('Send a test', to('test'))} ${found.disabledAt && button('Switch on again', to('enable'))}
          ${confirmed('Rotate secret', 'A new secret is shown once. For a day, messages are signed with both, so that you can update the receiver.', to('rotate'))}
          ${confirmed('Remove', 'The endpoint is deleted with its deliveries.', to('remove'))}
        </div>
        <h2>Deliveries</h2>
        ${answerHtml({ data: { rows } }, { caption: 'Deliveries', actions: new Map([['rows', rows.map(replay)]]) })}`,
    };
  },
);

const secretTitle = 'Secret of the endpoint';

/** Runs an operator's verb on an endpoint of the developer; answers with its page, or with a secret. */
const onEndpoint = (name: 'rotate' | 'test' | 'enable' | 'replay' | 'remove', to: typeof pageOf = pageOf) =>
  ownAction(
    `endpoint ${name}`,
    z.object({ endpoint: idSchema, delivery: longIdSchema.optional() }),
    async (tools, application, { endpoint, delivery }) => {
      const { id } = application;
      await ownEndpoint(tools, application, endpoint);
      const replayed = name === 'replay' && (await webhookDeliveryRepo(tools.db).byId(delivery ?? 0));
      if (name === 'replay' && (!replayed || replayed.endpointId !== endpoint))
        throw new DomainError('NOT_FOUND', {}, `There is no message ${delivery ?? 0}.`);
      const { data, notice = '' } = await runChange(noun.verbs[name], tools, { id: endpoint, delivery });
      return typeof data['secret'] === 'string'
        ? secretView(secretTitle, data['secret'], pageOf(id, endpoint))
        : { notice, to: to(id, endpoint) };
    },
  );

const endpointFormSchema = z.object({ url: z.string().max(500) }).catchall(z.string());

export const endpointActions = {
  '/endpoints/add': ownAction(
    'endpoint add',
    endpointFormSchema,
    async (tools, { id }, { url, ...chosen }) => {
      const events = openEventNames.filter((event) => chosen[event] === 'yes');
      const { data } = await runChange(noun.verbs.add, tools, { devkey: id, url, events });
      return secretView(secretTitle, String(data['secret']), pageOf(id, Number(data['id'])));
    },
  ),
  '/endpoints/rotate': onEndpoint('rotate'),
  '/endpoints/test': onEndpoint('test'),
  '/endpoints/enable': onEndpoint('enable'),
  '/endpoints/replay': onEndpoint('replay'),
  '/endpoints/remove': onEndpoint('remove', (id) => `/endpoints?id=${id}`),
};
