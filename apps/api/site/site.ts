/** A site is pages and forms without scripts behind a session. The rules of all its pages and actions are enforced here. */
import type { Context as KoaContext, Middleware } from 'koa';
import { isSameText } from '#store/auth/confirmations.ts';
import { formTokenOf, hashOfSecret } from '#store/auth/secrets.ts';
import type { Context } from '#data/context.ts';
import type { ReadDb } from '#store/postgres/sql.ts';
import { DomainError, UnavailableError } from '#domain/errors.ts';
import { auditedChange } from '#operator/audited.ts';
import { UsageError } from '#operator/verb.ts';
import type { OperatorTools } from '#operator/verb.ts';
import { ApiError, commonError } from '../errors.ts';
import { perMinute } from '../limits.ts';
import { firstValues, readForm } from '../pages/form.ts';
import { html } from '../pages/html.ts';
import { send } from '../pages/page.ts';
import type { Fields, PageParts } from '../pages/page.ts';
import { networkOf } from '../services/rate-limiter.ts';
import { assertStorable } from '../stages/validate.ts';
import { bare, framed } from './frame.ts';
import type { Frame, View } from './frame.ts';
import { formTokenField } from './parts.ts';
import type { PageLink } from './parts.ts';
import { isFromHere, noticeCookie, noticeOf, secretOf, sessionCookie } from './session.ts';

/** An announcement has up to 50,000 characters, each of up to 12 bytes in a form. */
const maxFormBytes = 700_000;

/** Passed to every page. */
export interface PageTools<S> extends Omit<OperatorTools, 'change'>, Pick<Context, 'postgres'> {
  session: S;
  /** Goes into every form. */
  formToken: string;
}

type ActionTools<S> = PageTools<S> & OperatorTools;

/** A page with the sentence, or with a secret that is shown only once. */
type Outcome = { notice: string; to: string } | { view: View };

/** Null for invalid URL parameters, as in a mistyped link. */
export type SitePage<S> = (tools: PageTools<S>, query: unknown) => Promise<View> | null;

export interface SiteAction<S> {
  /** Noun and verb, as the command line calls it, for the audit. */
  audit: string;
  /** Always a POST of a form with a session, with the token of the form, from a page of this service. */
  run: (tools: ActionTools<S>, form: unknown) => Promise<Outcome>;
}

export interface Site<S> extends Pick<Frame, 'title'> {
  /** Its path is `/NAME`. */
  name: string;
  isOff?: (config: Context['config']) => boolean;
  /** Why a request is refused before anything else; null when it is not. */
  refusal?: (ctx: KoaContext, config: Context['config']) => string | null;
  sessionOf: (db: ReadDb, secretHash: Buffer, now: Date) => Promise<S | null>;
  signInView: (given: Fields, problem?: string) => View;
  /** Throws ApiError or DomainError if the caller lacks permission. */
  signIn: (
    ctx: KoaContext,
    parts: PageParts,
    given: Fields,
  ) => Promise<{ secret: string; maxAgeSeconds: number }>;
  signOut: (
    parts: PageParts,
    session: S,
    tools: Pick<OperatorTools, 'change'>,
    secret: string,
  ) => Promise<void>;
  /** The name of the signed-in person in the audit. */
  who: (session: S) => string;
  links: readonly Omit<PageLink, 'isCurrent'>[];
  frame: (session: S, config: Context['config']) => Pick<Frame, 'who' | 'alert'>;
  /** By the path below the site; '' is its home page. */
  pages: ReadonlyMap<string, SitePage<S>>;
  actions: ReadonlyMap<string, SiteAction<S>>;
}

/** Problems of forms and links in words; throws anything else to the error handler. */
const problemOf = (error: unknown) => {
  const refused = (status: number, title: string, sentence: string) => ({ status, title, sentence });
  if (error instanceof ApiError)
    return refused(error.status, error.status === 404 ? 'Not found' : 'Refused', error.message);
  if (error instanceof UsageError) return refused(422, 'Not done', error.message);
  if (error instanceof DomainError)
    return refused(error.code === 'NOT_FOUND' ? 404 : 409, 'Not done', error.message);
  if (error instanceof UnavailableError)
    return refused(503, 'Not now', `${error.message}. Nothing was changed; try again later.`);
  throw error;
};

const refusal = (message: string): ApiError => commonError('ACCESS_DENIED', { message });

/** The middleware of a site; it passes every request on while the site is switched off. */
export const siteRoutes = <S>(site: Site<S>, parts: PageParts): Middleware => {
  const { name, title } = site;
  const base = `/${name}`;
  const { context, services } = parts;
  const { config, postgres, clock } = context;
  /** Counted before the session is looked up. */
  const limit = perMinute(name, 300, 'ip');

  const goTo = (ctx: KoaContext, path: string): void => {
    ctx.status = 303;
    ctx.set({ Location: `${base}${path}`, 'Cache-Control': 'no-store' });
    ctx.body = '';
  };
  const setSession = (ctx: KoaContext, secret: string, maxAgeSeconds: number): void =>
    ctx.append('Set-Cookie', sessionCookie(ctx, config, { site: name, secret, maxAgeSeconds }));

  const signInPage = (ctx: KoaContext, status: number, given: Fields = {}, problem?: string): void =>
    send(ctx, bare(status, title, site.signInView(given, problem)));

  const signIn = async (ctx: KoaContext): Promise<void> => {
    const given = await readForm(ctx);
    try {
      const { secret, maxAgeSeconds } = await site.signIn(ctx, parts, given);
      setSession(ctx, secret, maxAgeSeconds);
      goTo(ctx, '');
    } catch (error) {
      if (!(error instanceof DomainError || error instanceof ApiError)) throw error;
      const isApiError = error instanceof ApiError;
      if (isApiError) ctx.set(error.headers);
      signInPage(ctx, isApiError ? error.status : 403, given, error.message);
    }
  };

  const act = async (ctx: KoaContext, path: string, tools: PageTools<S>, secret: string) => {
    const { [formTokenField]: given = '', ...fields } = await readForm(ctx, maxFormBytes);
    if (!isSameText(given, formTokenOf(secret)))
      throw refusal('Your session has changed. Reload the page and try again.');
    const operator = { who: site.who(tools.session), requestId: ctx.state['requestId'] as string };
    const change = (action: string) => auditedChange(context, operator, action);
    if (path === '/sign-out') {
      await site.signOut(parts, tools.session, { change: change(`${name} sign-out`) }, secret);
      setSession(ctx, '', 0);
      return { notice: '', to: '/sign-in' };
    }
    const action = site.actions.get(path);
    return action?.run({ ...tools, change: change(action.audit) }, fields);
  };

  /** Serves a request with a session; `show` renders a view in the frame of the site. */
  const within = async (
    ctx: KoaContext,
    path: string,
    { session, secret }: { session: S; secret: string },
    show: (view: View) => void,
  ): Promise<void> => {
    const tools: PageTools<S> = {
      config,
      clock,
      postgres,
      jobs: context.jobs,
      queues: () => Promise.resolve(context.queues),
      db: postgres.db,
      now: clock.now(),
      session,
      formToken: formTokenOf(secret),
    };
    const values = firstValues(ctx.query);
    assertStorable({}, values);
    const view = ctx.method === 'POST' ? undefined : await site.pages.get(path)?.(tools, values);
    const outcome = ctx.method === 'POST' ? await act(ctx, path, tools, secret) : view && { view };
    if (!outcome) throw commonError('NOT_FOUND', { message: 'This page does not exist.' });
    if ('view' in outcome) show(outcome.view);
    else {
      if (outcome.notice !== '') ctx.append('Set-Cookie', noticeCookie(outcome.notice, name));
      goTo(ctx, outcome.to);
    }
  };

  const answer = async (ctx: KoaContext): Promise<void> => {
    const path = ctx.path.slice(base.length).replace(/\/$/, '');
    const isPost = ctx.method === 'POST';
    // Before sign-in, an error page reveals nothing about the site's contents.
    let show = (view: View, status: number): void => send(ctx, bare(status, title, view));
    try {
      const reason = site.refusal?.(ctx, config) ?? null;
      if (reason !== null) throw refusal(reason);
      ctx.set((await services.rateLimiter.take(limit, `ip:${networkOf(ctx.ip)}`)).headersOf());
      if (!['GET', 'HEAD', 'POST'].includes(ctx.method))
        throw commonError('METHOD_NOT_ALLOWED', {
          message: 'Only GET and POST are allowed here.',
          headers: { Allow: 'GET, HEAD, POST' },
        });
      if (isPost && !isFromHere(ctx, config))
        throw refusal('This form was not sent from a page of this service.');
      if (isPost && path === '/sign-in') {
        await signIn(ctx);
        return;
      }
      const secret = secretOf(ctx, config, name);
      const session = secret && (await site.sessionOf(postgres.db, hashOfSecret(secret), clock.now()));
      if (!session) {
        if (isPost) signInPage(ctx, 401, {}, 'Your session has ended. Sign in and try again.');
        else if (path === '/sign-in' || path === '') signInPage(ctx, 200);
        else goTo(ctx, '/sign-in');
        return;
      }
      if (path === '/sign-in') {
        goTo(ctx, '');
        return;
      }
      show = (view, status) => {
        const notice = noticeOf(ctx, name);
        if (notice !== '') ctx.append('Set-Cookie', noticeCookie('', name));
        const section = ctx.path.split('/').slice(0, 3).join('/');
        const links = site.links.map((link) => ({ ...link, isCurrent: link.href === section }));
        const frame = { base, title, formToken: formTokenOf(secret), links, notice };
        send(ctx, framed(status, view, { ...frame, ...site.frame(session, config) }));
      };
      await within(ctx, path, { session, secret }, (view) => show(view, 200));
    } catch (error) {
      if (error instanceof ApiError) ctx.set(error.headers);
      const { status, title: heading, sentence } = problemOf(error);
      const main = html`<p role="alert" class="alert">${sentence}</p>
        <p><a href="${base}">${title}</a></p>`;
      show({ title: heading, main }, status);
    }
  };

  return (ctx, next) => {
    const isOurs = ctx.path === base || ctx.path.startsWith(`${base}/`);
    return isOurs && !site.isOff?.(config) ? answer(ctx) : next();
  };
};
