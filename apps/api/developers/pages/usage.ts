/** What an application has called: by day and by error, the last calls, and one of them with its redacted bodies. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { requestLogRepo } from '#store/postgres/requests/log.ts';
import { summarisedCalls, usageRepo } from '#store/postgres/requests/usage.ts';
import { DomainError } from '#domain/errors.ts';
import { facts, orDash, prettyJson, table, time } from '../../site/parts.ts';
import { html } from '../../pages/html.ts';
import { base, developerPage, idSchema, ownApplication } from '../define.ts';
import type { DeveloperTools } from '../define.ts';
import { createAccountTurns } from '../../services/uploads.ts';
import { applicationLinks } from './application.ts';

/** A summary reads much: an account has one at a time. */
const turns = createAccountTurns(1);

const summary = async ({ db, session }: DeveloperTools, id: number) => {
  const leave = await turns.enter(session.userId);
  const usage = usageRepo(db);
  try {
    return { days: await usage.days(id), errors: await usage.errors(id), calls: await usage.calls(id) };
  } finally {
    leave();
  }
};

/** What says who somebody is or opens something of theirs; the log has it for the operator. */
export const withoutPeople = (text: string): string =>
  text
    // Only from where a word begins: else a long one is read again from each of its characters.
    .replace(/(?<![^\s"'<>@:,;=/\\])[^\s"'<>@:,;=/\\]+(?:@|%40)[\p{L}\d.-]+\.\p{L}{2,}/giu, '[email address]')
    .replace(/(?:\d{1,3}\.){3}\d{1,3}|[\da-f:]{2,}[\da-f.]*/gi, (token) =>
      isIP(token) === 0 ? token : '[IP address]',
    )
    .replace(/(?<=\/(?:prints|graphics)\/)[\da-f-]{36}/gi, '[id]');

const msText = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)}\u00a0ms`;

export const usagePage = developerPage('/usage', z.object({ id: idSchema }), async (tools, { id }) => {
  const { name } = await ownApplication(tools, id);
  const { days, errors, calls } = await summary(tools, id);
  return {
    title: `Usage of ${name}`,
    main: html`${applicationLinks(id, 'Usage and calls')}
        <p class="hint">Of the last ${summarisedCalls.toLocaleString('en')} calls. Calls are kept for three days, calculations for 30; a call appears here within seconds.</p>
        <h2>By day (UTC)</h2>
        ${table(
          'Calls by day',
          ['Day', 'Calls', 'Refused or failed', '95 % within'],
          days.map((each) => [each.day, each.calls, each.failed, msText(each.p95Ms)]),
        )}
        <h2>By error</h2>
        ${table(
          'Errors',
          ['Code', 'Query', 'Calls', 'Last'],
          errors.map((each) => [
            html`<a href="/docs/guide/errors">${each.errorCode}</a>`,
            orDash(each.query),
            each.calls,
            time(each.lastAt),
          ]),
        )}
        <h2>The last calls</h2>
        ${table(
          'The last 100 calls',
          ['Log id', 'Time (UTC)', 'Query', 'Answer', 'Took'],
          calls.map((call) => [
            html`<a href="${`${base}/call?id=${id}&log=${call.id}`}">${call.id}</a>`,
            time(call.createdAt),
            orDash(call.query),
            `${call.status} ${call.errorCode ?? ''}`,
            msText(call.durationMs),
          ]),
        )}`,
  };
});

export const callPage = developerPage(
  '/call',
  z.object({ id: idSchema, log: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
  async (tools, { id, log }) => {
    const { name } = await ownApplication(tools, id);
    const call = await requestLogRepo(tools.db).byId(log);
    if (call?.developerKeyId !== id)
      throw new DomainError('NOT_FOUND', {}, `${name} has no call ${log}, or no longer.`);
    const bodies = [
      ['Request', call.request],
      ['Response', call.response],
      ['Headers', call.headers],
    ] as const;
    return {
      title: `Call ${log}`,
      main: html`${applicationLinks(id, 'Usage and calls')}
      ${facts([
        ['Query', orDash(call.query)],
        ['Answer', `${call.status} ${call.errorCode ?? ''}`],
        ['Took', msText(call.durationMs)],
        ['Time (UTC)', time(call.createdAt)],
        ['Request id', html`<code>${call.requestId}</code>`],
      ])}
      <p class="hint">Secrets, email and IP addresses and the ids of drawings and prints are left out. Of a refused call only the size is kept.</p>
      ${bodies.map(
        ([title, text]) =>
          html`<h2>${title}</h2>
            <pre tabindex="0" aria-label="${title}">${withoutPeople(prettyJson(text)) || '–'}</pre>`,
      )}`,
    };
  },
);
