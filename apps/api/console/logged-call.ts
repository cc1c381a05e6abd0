/** A call as the log keeps it, without secrets. */
import type { RequestLogRow } from '#data/postgres/requests/log.ts';
import { html } from '../pages/html.ts';
import type { Html } from '../pages/html.ts';
import { facts, orDash, prettyJson, time } from '../site/parts.ts';

export const loggedCall = (call: RequestLogRow): Html =>
  html`${facts([
    ['Query', orDash(call.query)],
    [
      'Account',
      call.userId === null
        ? orDash(null)
        : html`<a href="/console/users/show?id=${call.userId}">${call.userId}</a>`,
    ],
    ['Status', `${call.status} ${call.errorCode ?? ''}`],
    ['Took', `${call.durationMs.toFixed(1)} ms`],
    ['Request id', html`<code>${call.requestId}</code>`],
    ['Time', time(call.createdAt)],
  ])}
  ${(['Request', 'Response', 'Headers'] as const).map(
    (name) =>
      html`<details class="log">
        <summary>${name}</summary>
        <pre>${prettyJson(call[name.toLowerCase() as 'request'])}</pre>
      </details>`,
  )}`;
