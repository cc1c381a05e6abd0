/** Who may use a site: the cookie, and where a request comes from. */
import type { Context as KoaContext } from 'koa';
import type { Config } from '#platform/config/config.ts';

const loopback = /^(?:::1$|(?:::ffff:)?127\.)/;

const isHttps = (ctx: KoaContext, { BASE_URL }: Pick<Config, 'BASE_URL'>): boolean =>
  ctx.protocol === 'https' || BASE_URL.startsWith('https:');

/** False if token and cookie would cross the network unencrypted. */
export const isPrivateTransport = (ctx: KoaContext, { CONSOLE }: Pick<Config, 'CONSOLE'>): boolean =>
  ctx.protocol === 'https' || CONSOLE === 'http' || loopback.test(ctx.ip);

/** True if the browser's headers show that a page of this service sent the form; false without such headers. */
export const isFromHere = (ctx: KoaContext, { BASE_URL }: Pick<Config, 'BASE_URL'>): boolean => {
  const site = ctx.get('Sec-Fetch-Site');
  const origin = ctx.get('Origin');
  if (site === '' && origin === '') return false;
  if (site !== '' && site !== 'same-origin') return false;
  return origin === '' || origin === `${ctx.protocol}://${ctx.host}` || origin === new URL(BASE_URL).origin;
};

/** The prefix ties a cookie of HTTPS to this very host (RFC 6265bis, 4.1.3.2). */
const cookieName = (ctx: KoaContext, config: Pick<Config, 'BASE_URL'>, site: string): string =>
  isHttps(ctx, config) ? `__Host-${site}` : site;

/** The secret of the session that the cookie names; empty without one. */
export const secretOf = (ctx: KoaContext, config: Pick<Config, 'BASE_URL'>, site: string): string =>
  ctx.cookies.get(cookieName(ctx, config, site)) ?? '';

/** `Set-Cookie` for a session of this many seconds; 0 deletes it. */
export const sessionCookie = (
  ctx: KoaContext,
  config: Pick<Config, 'BASE_URL'>,
  { site, secret, maxAgeSeconds }: { site: string; secret: string; maxAgeSeconds: number },
): string => {
  const secure = isHttps(ctx, config) ? '; Secure' : '';
  return `${cookieName(ctx, config, site)}=${secret}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
};

/** `Set-Cookie` for the sentence that the next page shows; an empty one deletes it. */
export const noticeCookie = (notice: string, site: string): string =>
  `${site}-notice=${encodeURIComponent(notice)}; Max-Age=${notice === '' ? 0 : 60}; Path=/${site}; HttpOnly; SameSite=Strict`;

export const noticeOf = (ctx: KoaContext, site: string): string => {
  try {
    return decodeURIComponent(ctx.cookies.get(`${site}-notice`) ?? '');
  } catch {
    // This service did not set that cookie.
    return '';
  }
};
