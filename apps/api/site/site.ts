/** A site is pages and forms without scripts behind a session. The rules of all its pages and actions are enforced here. */
import type { Context as KoaContext, Middleware } from 'koa';
import type { z } from 'zod';
import { formTokenOf, hashOfSecret, isFormToken } from '#store/auth/console-tokens.ts';
import type { Context } from '#data/context.ts';
import type { ReadDb } from '#store/postgres/sql.ts';
import { DomainError, UnavailableError } from '#domain/errors.ts';
import { auditedChange } from '#operator/audited.ts';
import { UsageError } from '#operator/verb.ts';
import type { OperatorTools } from '#operator/verb.ts';
import { ApiError } from '../errors.ts';
import type { Limit } from '../limits.ts';
import { firstValues, readForm } from '../pages/form.ts';
import { html } from '../pages/html.ts';
import { send } from '../pages/page.ts';
import type { Fields } from '../pages/page.ts';
import { networkOf } from '../services/rate-limiter.ts';
import type { Services } from '../services/services.ts';
import { assertStorable } from '../stages/validate.ts';
import { bare, framed } from './frame.ts';
import type { Frame, View } from './frame.ts';
import { formTokenField } from './parts.ts';
import { isFromHere, noticeCookie, noticeOf, secretOf, sessionCookie } from './session.ts';

/** An announcement has up to 50,000 characters, each of up to 12 bytes in a form. */
const maxFormBytes = 700_000;

/** What a page works with. */
export interface PageTools<S>
  extends Omit<OperatorTools, 'change' | 'postgres'>, Pick<Context, 'jobs' | 'postgres'> {
  db: ReadDb;
  now: Date;
  session: S;
  /** Goes into every form. */
  formToken: string;
}

type ActionTools<S> = PageTools<S> & OperatorTools;

/** A page with the sentence, or what is shown only once. */
type Outcome = { notice: string; to: string } | { view: View };

export interface SitePage<S> {
  /** Below the site; '' is its first page. */
  path: string;
  /** Null for parameters of the URL that are not valid: a link that was typed. */
  render: (tools: PageTools<S>, query: unknown) => Promise<View> | null;
}

export interface SiteAction<S> {
  path: string;
  /** Noun and verb, as the command line calls it, for the audit. */
  audit: string;
  /** Always a POST of a form with a session, with the token of the form, from a page of this service. */
  run: (tools: ActionTools<S>, form: unknown) => Promise<Outcome>;
}

interface SiteParts {
  context: Context;
  services: Services;
}

export interface Site<S> extends Pick<Frame, 'title'> {
  /** Its path is `/NAME`. */
  name: string;
  limit: Limit;
  /** What a link to the first page says. */
  home: string;
  isOff?: (config: Context['config']) => boolean;
  /** Why a request is refused before anything else; null when it is not. */
  refusal?: (ctx: KoaContext, config: Context['config']) => string | null;
  sessionOf: (db: ReadDb, secretHash: Buffer, now: Date) => Promise<S | null>;
  signInView: (given: Fields, problem?: string) => View;
  /** Throws ApiError or DomainError for who may not. */
  signIn: (
    ctx: KoaContext,
    parts: SiteParts,
    given: Fields,
  ) => Promise<{ secret: string; maxAgeSeconds: number }>;
  signOut: (
    parts: SiteParts,
    session: S,
    tools: Pick<OperatorTools, 'change'>,
    secret: string,
  ) => Promise<void>;
  /** In the audit. */
  who: (session: S) => string;
  frame: (session: S, path: string, config: Context['config']) => Pick<Frame, 'links' | 'who' | 'alert'>;
  page: (path: string) => SitePage<S> | undefined;
  action: (path: string) => SiteAction<S> | undefined;
}

const checked = <T extends z.ZodType>(schema: T, given: unknown): z.output<T> => {
  const { success, data, error } = schema.safeParse(given);
  if (success) return data;
  throw new UsageError(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}.`).join(' '));
};

/** A page whose parameters are valid by a schema. */
export const pageOf =
  <S>() =>
  <Q extends z.ZodType>(
    path: string,
    query: Q,
    render: (tools: PageTools<S>, query: z.output<Q>) => Promise<View>,
  ): SitePage<S> => ({
    path,
    render: (tools, given) => {
      const { success, data } = query.safeParse(given);
      return success ? render(tools, data) : null;
    },
  });

/** An action whose form is valid by a schema. */
export const actionOf =
  <S>() =>
  <F extends z.ZodType>({
    form,
    run,
    ...action
  }: Pick<SiteAction<S>, 'path' | 'audit'> & {
    form: F;
    run: (tools: ActionTools<S>, form: z.output<F>) => Promise<Outcome>;
  }): SiteAction<S> => ({ ...action, run: (tools, given) => run(tools, checked(form, given)) });

interface Problem {
  status: number;
  title: string;
  sentence: string;
}

/** Problems of forms and links in words; throws anything else to the error handler. */
const problemOf = (error: unknown): Problem => {
  const refused = (status: number, sentence: string, title = 'Not done') => ({ status, title, sentence });
  if (error instanceof UsageError) return refused(422, error.message);
  if (error instanceof DomainError) return refused(error.code === 'NOT_FOUND' ? 404 : 409, error.message);
  if (error instanceof ApiError) return refused(error.status, error.message, 'Refused');
  if (error instanceof UnavailableError)
    return refused(503, `${error.message}. Nothing was changed; try again later.`, 'Not now');
  throw error;
};

/** Nothing where it is switched off. */
export const siteRoutes = <S>(site: Site<S>, parts: SiteParts): Middleware => {
  const { name } = site;
  const base = `/${name}`;
  const { context } = parts;
  const { config, postgres, clock } = context;

  const goTo = (ctx: KoaContext, path: string): void => {
    ctx.status = 303;
    ctx.set({ Location: `${base}${path}`, 'Cache-Control': 'no-store' });
    ctx.body = '';
  };
  const viewOf = ({ title, sentence }: Problem): View => ({
    title,
    main: html`<p role="alert" class="alert">${sentence}</p>
      <p><a href="${base}">${site.home}</a></p>`,
  });
  const notFound = { status: 404, title: 'Not found', sentence: 'There is no such page here.' };
  /** Without a session, a refusal says nothing about what there is. */
  const refuse = (ctx: KoaContext, problem: Problem): void =>
    send(ctx, bare(problem.status, site.title, viewOf(problem)));

  const signInPage = (ctx: KoaContext, status: number, given: Fields = {}, problem?: string): void =>
    send(ctx, bare(status, site.title, site.signInView(given, problem)));

  const signIn = async (ctx: KoaContext): Promise<void> => {
    const given = await readForm(ctx);
    try {
      const { secret, maxAgeSeconds } = await site.signIn(ctx, parts, given);
      ctx.append('Set-Cookie', sessionCookie(ctx, config, { site: name, secret, maxAgeSeconds }));
      goTo(ctx, '');
    } catch (error) {
      if (error instanceof DomainError) signInPage(ctx, 403, given, error.message);
      else if (error instanceof ApiError) {
        ctx.set(error.headers);
        signInPage(ctx, error.status, given, error.message);
      } else throw error;
    }
  };

  /** What is done for a session; its problems are shown in the frame. */
  const within = async (ctx: KoaContext, path: string, session: S, secret: string): Promise<void> => {
    const formToken = formTokenOf(secret);
    const tools: PageTools<S> = {
      config,
      clock,
      postgres,
      jobs: context.jobs,
      queues: () => Promise.resolve(context.queues),
      db: postgres.db,
      now: clock.now(),
      session,
      formToken,
    };
    const show = (view: View, status = 200): void => {
      const notice = noticeOf(ctx, name);
      if (notice !== '') ctx.append('Set-Cookie', noticeCookie('', name));
      const frame = { base, title: site.title, formToken, notice, ...site.frame(session, ctx.path, config) };
      send(ctx, framed(status, view, frame));
    };
    const showProblem = (problem: Problem): void => show(viewOf(problem), problem.status);
    const render = async (): Promise<void> => {
      const values = firstValues(ctx.query);
      assertStorable({}, values);
      const view = await site.page(path)?.render(tools, values);
      if (view) show(view);
      else showProblem(notFound);
    };
    const operator = { who: site.who(session), requestId: ctx.state['requestId'] as string };
    const change = (action: string) => auditedChange(context, operator, action);
    const act = async (): Promise<void> => {
      const { [formTokenField]: given = '', ...fields } = await readForm(ctx, maxFormBytes);
      if (!isFormToken(secret, given)) {
        const sentence = 'Your session has changed. Reload the page and try again.';
        showProblem({ status: 403, title: 'Refused', sentence });
        return;
      }
      if (path === '/sign-out') {
        await site.signOut(parts, session, { change: change(`${name} sign-out`) }, secret);
        ctx.append('Set-Cookie', sessionCookie(ctx, config, { site: name, secret: '', maxAgeSeconds: 0 }));
        goTo(ctx, '/sign-in');
        return;
      }
      const action = site.action(path);
      const outcome = await action?.run({ ...tools, change: change(action.audit) }, fields);
      if (!outcome) showProblem(notFound);
      else if ('view' in outcome) show(outcome.view);
      else {
        ctx.append('Set-Cookie', noticeCookie(outcome.notice, name));
        goTo(ctx, outcome.to);
      }
    };
    try {
      await (ctx.method === 'POST' ? act() : render());
    } catch (error) {
      showProblem(problemOf(error));
    }
  };

  const answer = async (ctx: KoaContext, path: string): Promise<void> => {
    const isPost = ctx.method === 'POST';
    if (isPost && !isFromHere(ctx, config)) {
      const sentence = 'This form was not sent by a page of this service.';
      refuse(ctx, { status: 403, title: 'Refused', sentence });
      return;
    }
    if (isPost && path === '/sign-in') {
      await signIn(ctx);
      return;
    }
    const secret = secretOf(ctx, config, name);
    const session = secret && (await site.sessionOf(postgres.db, hashOfSecret(secret), clock.now()));
    if (session && path === '/sign-in') goTo(ctx, '');
    else if (secret && session) await within(ctx, path, session, secret);
    else if (isPost) signInPage(ctx, 401, {}, 'The session has ended. Sign in and repeat it.');
    else if (path === '/sign-in' || path === '') signInPage(ctx, 200);
    else goTo(ctx, '/sign-in');
  };

  return async (ctx, next) => {
    const isOurs = ctx.path === base || ctx.path.startsWith(`${base}/`);
    if (!isOurs || site.isOff?.(config)) return next();
    const refusal = site.refusal?.(ctx, config) ?? null;
    try {
      if (refusal !== null) refuse(ctx, { status: 403, title: 'Refused', sentence: refusal });
      else {
        ctx.set((await parts.services.rateLimiter.take(site.limit, `ip:${networkOf(ctx.ip)}`)).headersOf());
        if (['GET', 'HEAD', 'POST'].includes(ctx.method))
          await answer(ctx, ctx.path.slice(base.length).replace(/\/$/, ''));
        else {
          ctx.set('Allow', 'GET, HEAD, POST');
          refuse(ctx, { status: 405, title: 'Refused', sentence: 'Only GET and POST are allowed here.' });
        }
      }
    } catch (error) {
      if (error instanceof ApiError) ctx.set(error.headers);
      refuse(ctx, problemOf(error));
    }
    return undefined;
  };
};
