/** Calls of an application: by day and error, the last ones, and a single one with its redacted bodies. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { requestLogRepo, summarisedCalls, usageRepo } from '#store/postgres/requests/log.ts';
import { DomainError } from '#domain/errors.ts';
import { answerHtml } from '../console/cells.ts';
import { html } from '../pages/html.ts';
import { applicationLinks, base, longIdSchema, ownPage } from './define.ts';

/** Personal data and credentials, which only the operator sees in the log. */
export const withoutPeople = (text: string): string =>
  text
    // Anchored at the start of a word, since a long one would be scanned again from each of its characters.
    .replace(/(?<![^\s"'<>@:,;=/\\])[^\s"'<>@:,;=/\\]+(?:@|%40)[\p{L}\d.-]+\.\p{L}{2,}/giu, '[email address]')
    .replace(/(?:\d{1,3}\.){3}\d{1,3}|[\da-f:]{2,}[\da-f.]*/gi, (token) =>
      isIP(token) === 0 ? token : '[IP address]',
    )
    .replace(/(?<=\/(?:prints|graphics)\/)[\da-f-]{36}/gi, '[id]');

export const usagePage = ownPage(z.object({}), async ({ db }, { id, name }) => {
  const usage = usageRepo(db);
  const data = {
    byDay: await usage.days(id),
    byError: await usage.errors(id),
    lastCalls: (await usage.calls(id)).map(({ id: log, ...call }) => ({
      log: html`<a href="${`${base}/call?id=${id}&log=${log}`}">${log}</a>`,
      ...call,
    })),
  };
  return {
    title: `Usage of ${name}`,
    main: html`${applicationLinks(id, 'Usage and calls')}
      <p class="hint">From the last ${summarisedCalls.toLocaleString('en')} calls, in UTC; <a href="/docs/guide/errors">the guide</a> has the errors. Calls are kept for three days, calculations for 30; a call appears here within seconds.</p>
      ${answerHtml({ data }, { caption: name })}`,
  };
});

export const callPage = ownPage(z.object({ log: longIdSchema }), async (tools, { id, name }, { log }) => {
  const call = await requestLogRepo(tools.db).byId(log);
  if (call?.developerKeyId !== id)
    throw new DomainError('NOT_FOUND', {}, `${name} has no call ${log}, or no longer.`);
  const record = {
    query: call.query,
    status: call.status,
    errorCode: call.errorCode,
    durationMs: call.durationMs,
    time: call.createdAt,
    requestId: call.requestId,
    request: withoutPeople(call.request ?? ''),
    response: withoutPeople(call.response ?? ''),
    headers: withoutPeople(call.headers ?? ''),
  };
  return {
    title: `Call ${log}`,
    main: html`${applicationLinks(id, 'Usage and calls')} ${answerHtml({ data: { record } }, { caption: name })}
      <p class="hint">Secrets, email and IP addresses and the ids of drawings and prints are left out. Refused calls only keep their size.</p>`,
  };
});
