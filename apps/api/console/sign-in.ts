import type { Context as KoaContext } from 'koa';
import { z } from 'zod';
import { audited } from '#commands/audit/audited.ts';
import { revokeToken } from '#commands/console/revoke-token.ts';
import { signIn } from '#commands/console/sign-in.ts';
import { hashOfSecret } from '#data/auth/console-tokens.ts';
import type { Context } from '#data/context.ts';
import { consoleTokenRepo } from '#data/postgres/console/tokens.ts';
import { DomainError } from '#domain/errors.ts';
import { ApiError } from '../errors.ts';
import { readForm } from '../pages/form.ts';
import type { PageAnswer } from '../pages/page.ts';
import { networkOf } from '../services/rate-limiter.ts';
import type { Services } from '../services/services.ts';
import { defineConsoleAction } from './define.ts';
import { bare } from './frame.ts';
import { html } from '../pages/html.ts';
import { sessionCookie, signInLimit } from './session.ts';

export const signInPage = (status: number, problem = ''): PageAnswer =>
  bare(
    status,
    'Sign in to the console',
    html`${problem !== '' && html`<p role="alert" class="alert">${problem}</p>`}
      <form class="sheet" method="post" action="/console/sign-in">
        <label
          ><span>Operator token</span
          ><input name="token" type="password" autocomplete="off" required maxlength="100" autofocus
        /></label>
        <button>Sign in</button>
      </form>
      <p class="hint">A token signs in once: <code>npm run ops -- console token</code></p>`,
  );

const invalid = () =>
  signInPage(403, 'This token is not valid: it is unknown, used, revoked or older than 12 hours.');

/** Counts the attempt, then reads the form. Null when it has signed in: the cookie is set. */
export const submitSignIn = async (
  ctx: KoaContext,
  { context, services }: { context: Context; services: Services },
): Promise<PageAnswer | null> => {
  const { postgres, clock, config } = context;
  const now = clock.now();
  const signedIn = async () => {
    const { token: given = '' } = await readForm(ctx);
    const token = await consoleTokenRepo(postgres.db).unused(hashOfSecret(given.trim()), now);
    if (!token) throw new DomainError('INVALID_TOKEN');
    const operator = { who: `console:${token.name}`, requestId: ctx.state['requestId'] as string };
    const secret = await postgres.transaction((tx) =>
      audited(
        tx,
        { clock, operator },
        { action: 'console sign-in', work: (trail) => signIn(tx, { clock, trail }, { tokenId: token.id }) },
      ),
    );
    const maxAgeSeconds = Math.floor((token.expiresAt.getTime() - now.getTime()) / 1_000);
    return { secret, maxAgeSeconds };
  };
  try {
    const limits = [[signInLimit, `ip:${networkOf(ctx.ip)}`]] as const;
    const { secret, ...age } = await services.rateLimiter.limited(limits, signedIn);
    ctx.append('Set-Cookie', sessionCookie(ctx, config, secret, age));
    return null;
  } catch (error) {
    if (error instanceof DomainError) return invalid();
    if (!(error instanceof ApiError)) throw error;
    ctx.set(error.headers);
    return signInPage(error.status, error.message);
  }
};

/** Revokes the token, which ends the session; its cookie means nothing from then on. */
export const signOut = defineConsoleAction({
  path: '/sign-out',
  form: z.object({}),
  audit: 'console sign-out',
  run: async ({ change, clock, token }) => {
    await change((tx, trail) => revokeToken(tx, { clock, trail }, { id: token.id }));
    return { notice: '', to: '/sign-in' };
  },
});
