/** Who may use the console: the cookie, the token of forms, and where a request comes from. */
import type { Context as KoaContext } from 'koa';
import { hashOfSecret } from '#data/auth/console-tokens.ts';
import type { Config } from '#platform/config/config.ts';
import type { Context } from '#data/context.ts';
import { consoleTokenRepo } from '#data/postgres/console/tokens.ts';
import type { ConsoleToken } from '#domain/console/token.ts';
import type { Limit } from '../limits.ts';

/** Every request, before its session is looked up. */
export const consoleLimit: Limit = {
  name: 'console',
  points: 300,
  perSeconds: 60,
  by: 'ip',
  isApproximate: true,
};

/** Attempts to sign in that fail. */
export const signInLimit: Limit = {
  name: 'consoleSignIn',
  points: 10,
  perSeconds: 600,
  by: 'ip',
  isFixed: true,
  counts: 'failures',
};

const loopback = /^(?:::1$|(?:::ffff:)?127\.)/;

const isHttps = (ctx: KoaContext, { BASE_URL }: Pick<Config, 'BASE_URL'>): boolean =>
  ctx.protocol === 'https' || BASE_URL.startsWith('https:');

/** False for a token and cookie that could be read on the way. */
export const isPrivateTransport = (ctx: KoaContext, { CONSOLE }: Pick<Config, 'CONSOLE'>): boolean =>
  ctx.protocol === 'https' || CONSOLE === 'http' || loopback.test(ctx.ip);

/**
 * True for a form that a page of this service sent, by what the browser says of it; a browser that says nothing is refused.
 */
export const isFromHere = (ctx: KoaContext, { BASE_URL }: Pick<Config, 'BASE_URL'>): boolean => {
  const site = ctx.get('Sec-Fetch-Site');
  const origin = ctx.get('Origin');
  if (site === '' && origin === '') return false;
  if (site !== '' && site !== 'same-origin') return false;
  return origin === '' || origin === `${ctx.protocol}://${ctx.host}` || origin === new URL(BASE_URL).origin;
};

/** The prefix ties a cookie of HTTPS to this very host (RFC 6265bis, 4.1.3.2). */
export const cookieName = (ctx: KoaContext, config: Pick<Config, 'BASE_URL'>, site = 'console'): string =>
  isHttps(ctx, config) ? `__Host-${site}` : site;

/** `Set-Cookie` for a session of this many seconds; 0 deletes it. */
export const sessionCookie = (
  ctx: KoaContext,
  config: Pick<Config, 'BASE_URL'>,
  secret: string,
  { maxAgeSeconds, site = 'console' }: { maxAgeSeconds: number; site?: string },
): string => {
  const secure = isHttps(ctx, config) ? '; Secure' : '';
  return `${cookieName(ctx, config, site)}=${secret}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
};

export interface Session {
  token: ConsoleToken;
  secret: string;
}

/** The session of a request; null without one, or when its token has expired or is revoked. */
export const sessionOf = async (
  ctx: KoaContext,
  { postgres, clock, config }: Pick<Context, 'postgres' | 'clock' | 'config'>,
): Promise<Session | null> => {
  const secret = ctx.cookies.get(cookieName(ctx, config));
  if (secret === undefined || secret === '') return null;
  const token = await consoleTokenRepo(postgres.db).ofSession(hashOfSecret(secret), clock.now());
  return token && { token, secret };
};

/** `Set-Cookie` for the sentence that the next page shows; an empty one deletes it. */
export const noticeCookie = (notice: string, site = 'console'): string =>
  `${site}-notice=${encodeURIComponent(notice)}; Max-Age=${notice === '' ? 0 : 60}; Path=/${site}; HttpOnly; SameSite=Strict`;

export const noticeOf = (ctx: KoaContext, site = 'console'): string => {
  try {
    return decodeURIComponent(ctx.cookies.get(`${site}-notice`) ?? '');
  } catch {
    // Not ours.
    return '';
  }
};
