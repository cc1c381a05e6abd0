import type { Context as KoaContext } from 'koa';
import { hashOfSecret, newSessionSecret } from '#data/auth/console-tokens.ts';
import type { Context } from '#data/context.ts';
import { developerSessionRepo, developerSessionWrites } from '#data/postgres/developer-keys/sessions.ts';
import type { DeveloperAccount } from '#data/postgres/developer-keys/sessions.ts';
import { sessionSeconds } from '#domain/developers/limits.ts';
import { addSeconds } from '#domain/time.ts';
import { cookieName, sessionCookie } from '../console/session.ts';
import { ApiError } from '../errors.ts';
import { readForm } from '../pages/form.ts';
import { html } from '../pages/html.ts';
import type { PageAnswer } from '../pages/page.ts';
import { proveByForm } from '../pages/proved.ts';
import type { Services } from '../services/services.ts';
import { base } from './define.ts';
import { signedOutFrame } from './frame.ts';

export const cookieSite = 'developers';

export const signInPage = (status: number, email = '', problem = ''): PageAnswer =>
  signedOutFrame(
    status,
    'Developers',
    html`<p>Applications with their keys, usage and webhooks. Sign in with your account of this service.</p>
      ${problem !== '' && html`<p role="alert" class="alert">${problem}</p>`}
      <form class="sheet" method="post" action="${base}/sign-in">
        <label
          ><span>Email address</span
          ><input name="email" type="email" value="${email}" autocomplete="username" required maxlength="254"
        /></label>
        <label
          ><span>Password</span
          ><input name="password" type="password" autocomplete="current-password" required maxlength="1000"
        /></label>
        <button>Sign in</button>
      </form>
      <p><a href="/register">Create an account</a> · <a href="/reset">Forgotten your password?</a></p>`,
  );

const unverified =
  'The address of this account is not verified yet. Open the link in the email that you got when you registered; ' +
  'the app, or the query requestEmailVerification, sends another one.';

/** Null when it has signed in: the cookie is set. */
export const submitSignIn = async (
  ctx: KoaContext,
  parts: { context: Context; services: Services },
): Promise<PageAnswer | null> => {
  const { postgres, clock, config } = parts.context;
  const fields = await readForm(ctx);
  const email = (fields['email'] ?? '').slice(0, 254);
  try {
    const { userId, tokenGeneration: generation } = await proveByForm(parts, fields, ctx.ip);
    const secret = newSessionSecret();
    const now = clock.now();
    const session = {
      secretHash: hashOfSecret(secret),
      createdAt: now,
      expiresAt: addSeconds(now, sessionSeconds),
    };
    const isOpen = await postgres.transaction((tx) =>
      developerSessionWrites(tx).open({ userId, generation }, session),
    );
    if (!isOpen) return signInPage(403, email, unverified);
    ctx.append(
      'Set-Cookie',
      sessionCookie(ctx, config, secret, { maxAgeSeconds: sessionSeconds, site: cookieSite }),
    );
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    ctx.set(error.headers);
    return signInPage(error.status, email, error.message);
  }
};

export interface DeveloperSession {
  account: DeveloperAccount;
  secret: string;
}

/** The session of a request; null without one, or when it has ended. */
export const developerSessionOf = async (
  ctx: KoaContext,
  { postgres, clock, config }: Pick<Context, 'postgres' | 'clock' | 'config'>,
): Promise<DeveloperSession | null> => {
  const secret = ctx.cookies.get(cookieName(ctx, config, cookieSite)) ?? '';
  if (secret === '') return null;
  const account = await developerSessionRepo(postgres.db).account(hashOfSecret(secret), clock.now());
  return account && { account, secret };
};
