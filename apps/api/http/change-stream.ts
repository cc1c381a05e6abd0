/**
 * `GET /api/changes`: the change feed as Server-Sent Events, which saves clients from polling. It opens as a call of
 * the query `changes`, with the same authorisation, limits and log entry; each event's id is its cursor, so
 * `Last-Event-ID` resumes an interrupted stream.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Context as KoaContext, Middleware } from 'koa';
import { DomainError, UnavailableError } from '#domain/errors.ts';
import type { Caller } from '#domain/users/types.ts';
import type { SyncKind } from '#domain/sync/change.ts';
import { ApiError, commonError, declaredError } from '../errors.ts';
import { follow, syncErrors } from '../queries/sync/common/feed.ts';
import type { ChangePage, Listening } from '../queries/sync/common/feed.ts';
import type { RouteParts } from './calls.ts';
import { answered, clientAbortOf, sendAnswer } from './calls.ts';

/** Proxies close idle connections after 60 s or more; this is also how soon an ended session is noticed. */
const heartbeatMs = 25_000;
/** How long a client may leave data unread. */
const unreadMs = 30_000;
const reconnectMs = 2_000;

const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n`;

/** Resolves once the client can take more. */
const send = async (response: ServerResponse, text: string, clientAborted: AbortSignal): Promise<void> => {
  if (response.write(`${text}\n`) || clientAborted.aborted) return;
  try {
    await once(response, 'drain', {
      signal: AbortSignal.any([clientAborted, AbortSignal.timeout(unreadMs)]),
    });
  } catch {
    // The client has disconnected, or has stopped reading.
    response.destroy();
  }
};

/** Runs until the client, the session or the process ends. */
const stream = async (
  ctx: KoaContext,
  { context, services }: RouteParts,
  { first, ...asked }: { first: ChangePage } & Pick<Listening, 'callerNow' | 'kinds'>,
): Promise<void> => {
  const { clock, postgres } = context;
  const { waiting } = services;
  const { res } = ctx;
  const clientAborted = clientAbortOf(res);
  const listening = { db: postgres.db, clock, waiting, ...asked };
  const tell = ({ cursor, ...page }: ChangePage) =>
    send(res, `id: ${cursor}\n${event('changes', page)}`, clientAborted);
  res.write(`retry: ${reconnectMs}\n\n`);
  await tell(first);
  for await (const page of follow(listening, first.cursor, { heartbeatMs, clientAborted }))
    await (page ? tell(page) : send(res, ':\n', clientAborted));
};

export const changeStream =
  (parts: RouteParts): Middleware =>
  async (ctx, next) => {
    if (ctx.path !== '/api/changes') return next();
    if (ctx.method !== 'GET')
      throw commonError('METHOD_NOT_ALLOWED', {
        message: 'This path supports GET only.',
        headers: { Allow: 'GET' },
      });
    const { context, services } = parts;
    const { since, kinds } = ctx.query;
    const from = ctx.get('Last-Event-ID') || since;
    const wanted = typeof kinds === 'string' ? (kinds.split(',') as SyncKind[]) : (kinds ?? null);
    const body = { query: 'changes', data: { since: from, kinds: wanted } };
    const response = await answered(parts, ctx, { body });
    if (response.status !== 200) {
      sendAnswer(ctx, response);
      return undefined;
    }
    const callerNow = response.callerNow as () => Promise<Caller>;
    if (services.waiting.isFull((await callerNow()).userId))
      throw declaredError(syncErrors, 'TOO_MANY_WAITING');
    ctx.respond = false;
    ctx.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
    try {
      const { changes, cursor, hasMore } = response.body as unknown as ChangePage;
      await stream(ctx, parts, {
        first: { changes, cursor, hasMore },
        callerNow,
        kinds: wanted as SyncKind[] | null,
      });
    } catch (error) {
      if (error instanceof DomainError || error instanceof ApiError)
        ctx.res.write(`${event('end', { code: error.code })}\n`);
      else if (!(error instanceof UnavailableError))
        context.log.error({ err: error }, 'a stream of changes failed');
    }
    ctx.res.end();
    return undefined;
  };
