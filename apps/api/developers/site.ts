/** `/developers`: self-service of developers, who sign in with a verified account. */
import { hashOfSecret, newSecret } from '#store/auth/secrets.ts';
import { developerSessionRepo, developerSessionWrites } from '#store/postgres/developer-keys/sessions.ts';
import type { DeveloperAccount } from '#store/postgres/developer-keys/sessions.ts';
import { sessionSeconds } from '#domain/developers/permissions.ts';
import { DomainError } from '#domain/errors.ts';
import { addSeconds } from '#domain/time.ts';
import { html } from '../pages/html.ts';
import { alert, credentialFields } from '../site/parts.ts';
import { verifyCredentialsForm } from '../pages/verify-credentials.ts';
import type { Site, SitePage } from '../site/site.ts';
import { base } from './define.ts';
import { application, applicationActions, applicationList } from './applications.ts';
import { endpointActions, endpointPage, endpointsPage } from './endpoints.ts';
import { callPage, usagePage } from './usage.ts';

export const pages = new Map<string, SitePage<DeveloperAccount>>([
  ['', applicationList],
  ['/application', application],
  ['/usage', usagePage],
  ['/call', callPage],
  ['/endpoints', endpointsPage],
  ['/endpoint', endpointPage],
]);
export const actions = new Map(Object.entries({ ...applicationActions, ...endpointActions }));

const unverified =
  'The address of this account is not verified yet. Open the link in the email that you got when you registered; ' +
  'the app, or the query requestEmailVerification, sends another one.';

export const developerSite: Site<DeveloperAccount> = {
  name: 'developers',
  title: 'Developers',
  sessionOf: (db, secretHash, now) => developerSessionRepo(db).account(secretHash, now),
  who: ({ userId }) => `developer:${userId}`,

  signInView: ({ email = '' }, problem) => ({
    title: 'Developers',
    main: html`<p>Applications with their keys, usage and webhooks. Sign in with your account of this service.</p>
      ${alert(problem)}
      <form class="sheet" method="post" action="${base}/sign-in">
        ${credentialFields(email.slice(0, 254))}
        <button>Sign in</button>
      </form>
      <p><a href="/register">Create an account</a> · <a href="/reset">Forgotten your password?</a></p>
      <p class="hint"><a href="/docs/guide/developers">Guide for developers</a></p>`,
  }),

  signIn: async (ctx, parts, given) => {
    const { postgres, clock } = parts.context;
    const { userId, tokenGeneration: generation } = await verifyCredentialsForm(parts, given, ctx.ip);
    const secret = newSecret();
    const now = clock.now();
    const session = {
      secretHash: hashOfSecret(secret),
      createdAt: now,
      expiresAt: addSeconds(now, sessionSeconds),
    };
    const isOpen = await postgres.transaction((tx) =>
      developerSessionWrites(tx).open({ userId, generation }, session),
    );
    if (!isOpen) throw new DomainError('EMAIL_NOT_VERIFIED', {}, unverified);
    return { secret, maxAgeSeconds: sessionSeconds };
  },

  signOut: async ({ context: { postgres } }, _account, _tools, secret) => {
    await postgres.transaction((tx) => developerSessionWrites(tx).end(hashOfSecret(secret)));
  },

  links: [
    { href: base, text: 'Applications' },
    { href: '/docs/guide/developers', text: 'Guide' },
    { href: '/docs', text: 'Reference' },
    { href: '/status', text: 'Status' },
  ],
  frame: ({ email }) => ({ who: html`${email}` }),
  pages,
  actions,
};
