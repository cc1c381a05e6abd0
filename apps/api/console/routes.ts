/** `/console`: enforces the rules of every page and action, then runs what its declaration says. */
import type { Context as KoaContext, Middleware } from 'koa';
import { audited } from '#commands/audit/audited.ts';
import { isFormToken, formTokenOf } from '#data/auth/console-tokens.ts';
import type { Context } from '#data/context.ts';
import { DomainError, UnavailableError } from '#domain/errors.ts';
import { UsageError } from '#operator/verb.ts';
import { ApiError } from '../errors.ts';
import { firstValues, readForm } from '../pages/form.ts';
import type { PageAnswer } from '../pages/page.ts';
import { networkOf } from '../services/rate-limiter.ts';
import type { Services } from '../services/services.ts';
import { assertStorable } from '../stages/validate.ts';
import type { ConsoleAction, ConsolePage, ConsoleSection, ConsoleTools, View } from './define.ts';
import { bare, framed } from './frame.ts';
import { html } from '../pages/html.ts';
import { formTokenField } from './parts.ts';
import {
  consoleLimit,
  isFromHere,
  isPrivateTransport,
  noticeCookie,
  noticeOf,
  sessionCookie,
  sessionOf,
} from './session.ts';
import type { Session } from './session.ts';
import { signInPage, signOut, submitSignIn } from './sign-in.ts';

/** An announcement has up to 50,000 characters, each of up to 12 bytes in a form. */
const maxFormBytes = 700_000;

const prefix = '/console';

interface Parts {
  context: Context;
  services: Services;
  sections: readonly ConsoleSection[];
}

const send = (ctx: KoaContext, answer: PageAnswer): void => {
  ctx.status = answer.status;
  ctx.set(answer.headers);
  ctx.body = answer.body;
};

const redirect = (ctx: KoaContext, path: string): void => {
  ctx.status = 303;
  ctx.set({ Location: path, 'Cache-Control': 'no-store' });
  ctx.body = '';
};

const refused = (title: string, sentence: string): View => ({
  title,
  main: html`<p role="alert" class="alert">${sentence}</p>
    <p><a href="/console">To the console</a></p>`,
});

const notFound = () => refused('Not found', 'There is no such page in the console.');

/** A refusal without a session says nothing about what there is. */
const refuse = (ctx: KoaContext, status: number, title: string, sentence: string): void => {
  const { main } = refused(title, sentence);
  send(ctx, bare(status, title, main));
};

const toolsOf = ({ context }: Parts, { token, secret }: Session): ConsoleTools => ({
  config: context.config,
  clock: context.clock,
  queues: context.queues,
  jobs: context.jobs,
  db: context.postgres.db,
  now: context.clock.now(),
  token,
  formToken: formTokenOf(secret),
});

const show = (
  ctx: KoaContext,
  { sections, context }: Parts,
  { token, formToken }: ConsoleTools,
  view: View,
  status = 200,
): void => {
  const current = ctx.path.split('/')[2] ?? '';
  const notice = noticeOf(ctx);
  if (notice !== '') ctx.append('Set-Cookie', noticeCookie(''));
  const { ACCEPT_TEST_PAYMENTS: acceptsTestPayments } = context.config;
  send(ctx, framed(status, view, { sections, current, token, formToken, notice, acceptsTestPayments }));
};

/** What a form or link got wrong, in words; anything else is for the last resort. */
const problemOf = (error: unknown): { status: number; view: View } | null => {
  if (error instanceof UsageError) return { status: 422, view: refused('Not done', error.message) };
  if (error instanceof DomainError)
    return { status: error.code === 'NOT_FOUND' ? 404 : 409, view: refused('Not done', error.message) };
  if (error instanceof UnavailableError)
    return {
      status: 503,
      view: refused('Not now', `${error.message}. Nothing was changed; try again later.`),
    };
  return null;
};

const renderPage = async (ctx: KoaContext, parts: Parts, session: Session, page: ConsolePage) => {
  const tools = toolsOf(parts, session);
  const values = firstValues(ctx.query);
  assertStorable({}, values);
  try {
    const view = await page.render(tools, values);
    if (view) show(ctx, parts, tools, view);
    else show(ctx, parts, tools, notFound(), 404);
  } catch (error) {
    const problem = problemOf(error);
    if (!problem) throw error;
    show(ctx, parts, tools, problem.view, problem.status);
  }
};

const runAction = async (ctx: KoaContext, parts: Parts, session: Session, action: ConsoleAction) => {
  const tools = toolsOf(parts, session);
  const { [formTokenField]: given = '', ...fields } = await readForm(ctx, maxFormBytes);
  if (!isFormToken(session.secret, given)) {
    const sentence = 'Your session has changed. Reload the page and try again.';
    show(ctx, parts, tools, refused('Refused', sentence), 403);
    return;
  }
  const { postgres, clock } = parts.context;
  const queues = () => Promise.resolve(parts.context.queues);
  const operator = {
    who: `console:${session.token.name}`,
    requestId: ctx.state['requestId'] as string,
  };
  try {
    const change: Parameters<ConsoleAction['run']>[0]['change'] = (work) =>
      postgres.transaction((tx) =>
        audited(tx, { clock, operator }, { action: action.audit, work: (trail) => work(tx, trail) }),
      );
    const outcome = await action.run({ ...tools, postgres, queues, change }, fields);
    if ('view' in outcome) {
      show(ctx, parts, tools, outcome.view);
      return;
    }
    ctx.append('Set-Cookie', noticeCookie(outcome.notice));
    redirect(ctx, `${prefix}${outcome.to}`);
  } catch (error) {
    const problem = problemOf(error);
    if (!problem) throw error;
    show(ctx, parts, tools, problem.view, problem.status);
  }
};

const get = async (ctx: KoaContext, parts: Parts, pages: ReadonlyMap<string, ConsolePage>) => {
  const session = await sessionOf(ctx, parts.context);
  const path = ctx.path.slice(prefix.length);
  if (!session) {
    if (path === '/sign-in') send(ctx, signInPage(200));
    else redirect(ctx, `${prefix}/sign-in`);
    return;
  }
  if (path === '' || path === '/' || path === '/sign-in') {
    redirect(ctx, `${prefix}/${parts.sections[0]?.name ?? ''}`);
    return;
  }
  const page = pages.get(path);
  if (page) await renderPage(ctx, parts, session, page);
  else show(ctx, parts, toolsOf(parts, session), notFound(), 404);
};

const post = async (ctx: KoaContext, parts: Parts, actions: ReadonlyMap<string, ConsoleAction>) => {
  if (!isFromHere(ctx, parts.context.config)) {
    refuse(ctx, 403, 'Refused', 'This form was not sent by a page of the console.');
    return;
  }
  const path = ctx.path.slice(prefix.length);
  if (path === '/sign-in') {
    const answer = await submitSignIn(ctx, parts);
    if (answer) send(ctx, answer);
    else redirect(ctx, prefix);
    return;
  }
  const session = await sessionOf(ctx, parts.context);
  if (!session) {
    refuse(ctx, 401, 'Signed out', 'The session has ended. Sign in and repeat it.');
    return;
  }
  if (path === '/sign-out') {
    await runAction(ctx, parts, session, signOut);
    if (ctx.status === 303)
      ctx.append('Set-Cookie', sessionCookie(ctx, parts.context.config, '', { maxAgeSeconds: 0 }));
    return;
  }
  const action = actions.get(path);
  if (action) await runAction(ctx, parts, session, action);
  else show(ctx, parts, toolsOf(parts, session), notFound(), 404);
};

/** Nothing with `CONSOLE=off`. */
export const consoleRoutes = (parts: Parts): Middleware => {
  const { config } = parts.context;
  const pages = new Map(parts.sections.flatMap((section) => section.pages.map((page) => [page.path, page])));
  const actions = new Map(
    parts.sections.flatMap((section) => section.actions.map((action) => [action.path, action])),
  );
  return async (ctx, next) => {
    const isOurs = ctx.path === prefix || ctx.path.startsWith(`${prefix}/`);
    if (!isOurs || config.CONSOLE === 'off') return next();
    if (!isPrivateTransport(ctx, config)) {
      refuse(ctx, 403, 'HTTPS only', 'The console is open over HTTPS, or from the machine itself.');
      return undefined;
    }
    try {
      ctx.set((await parts.services.rateLimiter.take(consoleLimit, `ip:${networkOf(ctx.ip)}`)).headersOf());
      if (ctx.method === 'GET' || ctx.method === 'HEAD') await get(ctx, parts, pages);
      else if (ctx.method === 'POST') await post(ctx, parts, actions);
      else {
        ctx.set('Allow', 'GET, HEAD, POST');
        refuse(ctx, 405, 'Refused', 'Only GET and POST are allowed here.');
      }
    } catch (error) {
      if (error instanceof ApiError) {
        ctx.set(error.headers);
        refuse(ctx, error.status, 'Refused', error.message);
      } else if (error instanceof UnavailableError)
        refuse(ctx, 503, 'Not now', `${error.message}. Try again later.`);
      else throw error;
    }
    return undefined;
  };
};
