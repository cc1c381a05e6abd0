/** `/console`: a token from the command line signs in once, over HTTPS or from the machine itself. */
import { hashOfSecret, newSecret } from '#store/auth/secrets.ts';
import { consoleTokenRepo, consoleTokenWrites } from '#store/postgres/console/tokens.ts';
import type { ConsoleToken } from '#domain/console/token.ts';
import { DomainError } from '#domain/errors.ts';
import { wireTime } from '#domain/time.ts';
import type { Limit } from '../limits.ts';
import { html } from '../pages/html.ts';
import { networkOf } from '../services/rate-limiter.ts';
import { alert, field } from '../site/parts.ts';
import { isPrivateTransport } from '../site/session.ts';
import type { Site } from '../site/site.ts';
import { auditedChange } from '#operator/audited.ts';
import { nouns } from '#operator/nouns.ts';
import { changing } from '#operator/verb.ts';
import { actions, overview, pages } from './pages.ts';

/** Failed sign-in attempts. */
const signInLimit: Limit = {
  name: 'consoleSignIn',
  points: 10,
  perSeconds: 600,
  by: 'ip',
  isFixed: true,
  counts: 'failures',
};

const links = [
  { href: '/console', text: 'Overview' },
  ...nouns
    .filter(({ name }) => name !== 'status')
    .map(({ name, title }) => ({ href: `/console/${name}`, text: title })),
];

export const consoleSite: Site<ConsoleToken> = {
  name: 'console',
  title: 'Console',
  isOff: ({ CONSOLE }) => CONSOLE === 'off',
  refusal: (ctx, config) =>
    isPrivateTransport(ctx, config)
      ? null
      : 'The console is only available over HTTPS or from the machine itself.',
  sessionOf: (db, secretHash, now) => consoleTokenRepo(db).ofSession(secretHash, now),
  who: ({ name }) => `console:${name}`,

  signInView: (_given, problem) => ({
    title: 'Sign in to the console',
    main: html`${alert(problem)}
        <form class="sheet" method="post" action="/console/sign-in">
          ${field('Operator token', 'token', html`type="password" autocomplete="off" required maxlength="100" autofocus`)}
          <button>Sign in</button>
        </form>
        <p class="hint">A token signs in once: <code>npm run ops -- console token</code></p>`,
  }),

  signIn: (ctx, { context, services }, { token: given = '' }) =>
    services.rateLimiter.limited([[signInLimit, `ip:${networkOf(ctx.ip)}`]], async () => {
      const now = context.clock.now();
      const token = await consoleTokenRepo(context.postgres.db).unused(hashOfSecret(given.trim()), now);
      if (!token)
        throw new DomainError(
          'INVALID_TOKEN',
          {},
          'This token is invalid: it is unknown, used, revoked or older than 12 hours.',
        );
      const operator = { who: `console:${token.name}`, requestId: ctx.state['requestId'] as string };
      const change = auditedChange(context, operator, 'console sign-in');
      const secret = newSecret();
      await changing({ change }, 'console token', token.id, async (tx) => {
        if ((await consoleTokenWrites(tx).use(token.id, hashOfSecret(secret), now)) === 0)
          throw new DomainError('TOKEN_INVALID', {}, 'This token has already been used.');
      });
      return { secret, maxAgeSeconds: Math.floor((token.expiresAt.getTime() - now.getTime()) / 1_000) };
    }),

  /** Revokes the token, which ends the session; its cookie is worthless from then on. */
  signOut: ({ context }, { id }, tools) =>
    changing(tools, 'console token', id, async (tx) => {
      await consoleTokenWrites(tx).revoke(id, context.clock.now());
    }),

  links,
  frame: (token, { ACCEPT_TEST_PAYMENTS: acceptsTestPayments }) => ({
    who: html`${token.name}<small> until ${wireTime(token.expiresAt).slice(11, 16)} UTC</small>`,
    ...(acceptsTestPayments
      ? {
          alert: 'Test payments are accepted (ACCEPT_TEST_PAYMENTS): free orders grant real access.',
        }
      : {}),
  }),
  pages: new Map([...pages, ['', overview]]),
  actions,
};
