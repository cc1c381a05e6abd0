/** `/developers`: self-service of developers, without scripts. Enforces the rules of every page and action. */
import type { Context as KoaContext, Middleware } from 'koa';
import { audited } from '#commands/audit/audited.ts';
import { formTokenOf, hashOfSecret, isFormToken } from '#data/auth/console-tokens.ts';
import type { Context } from '#data/context.ts';
import { developerSessionWrites } from '#data/postgres/developer-keys/sessions.ts';
import { DomainError, UnavailableError } from '#domain/errors.ts';
import { UsageError } from '#operator/verb.ts';
import type { OperatorTools } from '#operator/verb.ts';
import type { Outcome, View } from '../console/define.ts';
import { formTokenField } from '../console/parts.ts';
import { consoleLimit, isFromHere, noticeCookie, noticeOf, sessionCookie } from '../console/session.ts';
import { ApiError } from '../errors.ts';
import { firstValues, readForm } from '../pages/form.ts';
import { html } from '../pages/html.ts';
import type { PageAnswer } from '../pages/page.ts';
import { networkOf } from '../services/rate-limiter.ts';
import type { Services } from '../services/services.ts';
import { assertStorable } from '../stages/validate.ts';
import { base } from './define.ts';
import type { DeveloperTools } from './define.ts';
import { developerFrame, signedOutFrame } from './frame.ts';
import { actions, pages } from './registry.ts';
import { cookieSite, developerSessionOf, signInPage, submitSignIn } from './sign-in.ts';
import type { DeveloperSession } from './sign-in.ts';

const limit = { ...consoleLimit, name: 'developers' };

interface Parts {
  context: Context;
  services: Services;
}

const send = (ctx: KoaContext, { status, headers, body }: PageAnswer): void => {
  ctx.status = status;
  ctx.set(headers);
  ctx.body = body;
};

const goTo = (ctx: KoaContext, path: string): void => {
  ctx.set('Cache-Control', 'no-store');
  ctx.redirect(`${base}${path}`);
  ctx.status = 303;
};

const sentence = (title: string, text: string, status: number): { status: number; view: View } => ({
  status,
  view: {
    title,
    main: html`<p role="alert" class="alert">${text}</p>\n<p><a href="${base}">To the applications</a></p>`,
  },
});

const noPage = () => sentence('Not found', 'There is no such page for developers.', 404);

/** What a form or link got wrong, in words; anything else is for the last resort. */
const problemOf = (error: unknown): ReturnType<typeof sentence> => {
  if (error instanceof UsageError) return sentence('Not done', error.message, 422);
  if (error instanceof DomainError)
    return sentence('Not done', error.message, error.code === 'NOT_FOUND' ? 404 : 409);
  if (error instanceof ApiError) return sentence('Not done', error.message, error.status);
  if (error instanceof UnavailableError)
    return sentence('Not now', `${error.message}. Try again later.`, 503);
  throw error;
};

const toolsOf = (
  { postgres, config, clock }: Context,
  { account, secret }: DeveloperSession,
): DeveloperTools => ({
  db: postgres.db,
  config,
  clock,
  now: clock.now(),
  account,
  formToken: formTokenOf(secret),
});

const show = (ctx: KoaContext, tools: DeveloperTools, view: View, status = 200): void => {
  const notice = noticeOf(ctx, cookieSite);
  if (notice !== '') ctx.append('Set-Cookie', noticeCookie('', cookieSite));
  send(ctx, developerFrame(status, view, { ...tools, path: ctx.path, notice }));
};

const signOut = async (
  ctx: KoaContext,
  { postgres, config }: Context,
  { secret }: DeveloperSession,
): Promise<Outcome> => {
  await postgres.transaction((tx) => developerSessionWrites(tx).end(hashOfSecret(secret)));
  ctx.append('Set-Cookie', sessionCookie(ctx, config, '', { maxAgeSeconds: 0, site: cookieSite }));
  return { notice: '', to: '/sign-in' };
};

const get = async (ctx: KoaContext, { context }: Parts, path: string): Promise<void> => {
  const session = await developerSessionOf(ctx, context);
  if (!session) {
    if (path === '/sign-in' || path === '') send(ctx, signInPage(200));
    else goTo(ctx, '/sign-in');
    return;
  }
  if (path === '/sign-in') {
    goTo(ctx, '');
    return;
  }
  const tools = toolsOf(context, session);
  try {
    const values = firstValues(ctx.query);
    assertStorable({}, values);
    const view = await pages.get(path)?.render(tools, values);
    if (view) show(ctx, tools, view);
    else show(ctx, tools, noPage().view, 404);
  } catch (error) {
    const { view, status } = problemOf(error);
    show(ctx, tools, view, status);
  }
};

/** Writes of a developer are audited as those of operators, by the id of the account. */
const changeOf =
  (
    ctx: KoaContext,
    { postgres, clock }: Context,
    { account }: DeveloperSession,
    action: string,
  ): OperatorTools['change'] =>
  (work) => {
    const operator = { who: `developer:${account.userId}`, requestId: ctx.state['requestId'] as string };
    return postgres.transaction((tx) =>
      audited(tx, { clock, operator }, { action, work: (trail) => work(tx, trail) }),
    );
  };

const act = async (ctx: KoaContext, { context }: Parts, session: DeveloperSession, path: string) => {
  const tools = toolsOf(context, session);
  try {
    const { [formTokenField]: given = '', ...fields } = await readForm(ctx);
    if (!isFormToken(session.secret, given)) {
      const { view } = sentence('Refused', 'Your session has changed. Reload the page and try again.', 403);
      show(ctx, tools, view, 403);
      return;
    }
    const action = actions.get(path);
    const outcome =
      path === '/sign-out'
        ? await signOut(ctx, context, session)
        : await action?.run(
            { ...tools, jobs: context.jobs, change: changeOf(ctx, context, session, action.audit) },
            fields,
          );
    if (!outcome) show(ctx, tools, noPage().view, 404);
    else if ('view' in outcome) show(ctx, tools, outcome.view);
    else {
      ctx.append('Set-Cookie', noticeCookie(outcome.notice, cookieSite));
      goTo(ctx, outcome.to);
    }
  } catch (error) {
    const { view, status } = problemOf(error);
    show(ctx, tools, view, status);
  }
};

const post = async (ctx: KoaContext, parts: Parts, path: string): Promise<void> => {
  if (!isFromHere(ctx, parts.context.config)) {
    send(
      ctx,
      signedOutFrame(
        403,
        'Refused',
        html`<p role="alert" class="alert">This form was not sent by a page of this service.</p>`,
      ),
    );
    return;
  }
  if (path === '/sign-in') {
    const answer = await submitSignIn(ctx, parts);
    if (answer) send(ctx, answer);
    else goTo(ctx, '');
    return;
  }
  const session = await developerSessionOf(ctx, parts.context);
  if (session) await act(ctx, parts, session, path);
  else send(ctx, signInPage(401, '', 'The session has ended. Sign in and repeat it.'));
};

export const developerRoutes =
  (parts: Parts): Middleware =>
  async (ctx, next) => {
    if (ctx.path !== base && !ctx.path.startsWith(`${base}/`)) return next();
    const path = ctx.path.slice(base.length).replace(/\/$/, '');
    try {
      ctx.set((await parts.services.rateLimiter.take(limit, `ip:${networkOf(ctx.ip)}`)).headersOf());
      if (ctx.method === 'GET' || ctx.method === 'HEAD') await get(ctx, parts, path);
      else if (ctx.method === 'POST') await post(ctx, parts, path);
      else {
        ctx.set('Allow', 'GET, HEAD, POST');
        send(
          ctx,
          signedOutFrame(
            405,
            'Refused',
            html`<p role="alert" class="alert">Only GET and POST are allowed here.</p>`,
          ),
        );
      }
    } catch (error) {
      const { status, view } = problemOf(error);
      if (error instanceof ApiError) ctx.set(error.headers);
      send(ctx, signedOutFrame(status, view.title, view.main));
    }
    return undefined;
  };
