/** `/register` and `/reset`: creating and recovering an account without an app or scripts. */
import { z } from 'zod';
import { emailField } from '#domain/fields/index.ts';
import { askForReset } from '#commands/users/credentials.ts';
import { ApiError } from '../errors.ts';
import { registerLimit, resetAddressLimit, resetRequestLimit } from '../queries/users/common/users.ts';
import { newAccount, newAccountErrors, personFields } from '../queries/users/common/session.ts';
import { networkOf } from '../services/rate-limiter.ts';
import { alert, field } from '../site/parts.ts';
import { validationError } from '../stages/validate.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { page } from './page.ts';
import type { Fields, FormPage } from './page.ts';
import type { PageAnswer } from '../site/frame.ts';

const input = (name: string, label: string, given: Fields, attributes: Html): Html =>
  field(label, name, html`value="${given[name] ?? ''}" required ${attributes}`);

const emailInput = (given: Fields): Html =>
  input('email', 'Email address', given, html`type="email" autocomplete="username" maxlength="254"`);

const registerForm = (status: number, given: Fields = {}, problem?: string): PageAnswer =>
  page(
    status,
    'Create an account',
    html`${alert(problem)}
<form class="sheet" method="post" action="/register">
${emailInput(given)}
${input('firstname', 'First name', given, html`autocomplete="given-name" maxlength="100"`)}
${input('lastname', 'Last name', given, html`autocomplete="family-name" maxlength="100"`)}
${field('Password, at least 6 characters', 'password', html`type="password" autocomplete="new-password" required minlength="6"`)}
<button>Create the account</button>
</form>
<p>The account is for apps of this service and for <a href="/developers">developers</a>. <a href="/reset">Forgotten your password?</a></p>`,
  );

const resetForm = (status: number, given: Fields = {}, problem?: string): PageAnswer =>
  page(
    status,
    'Recover an account',
    html`${alert(problem)}
<form class="sheet" method="post" action="/reset">
${emailInput(given)}
<button>Send me a link</button>
</form>
<p>The link leads to a page on which you set a new password.</p>`,
  );

const personSchema = z.object(personFields);

/** The same form with a message about its problem. */
const failedAs =
  (form: typeof registerForm): NonNullable<FormPage['failed']> =>
  (error, given) => {
    if (error instanceof ApiError) return form(error.status, given, error.message);
    // The email check lost a race: the transaction found the address taken.
    return error.code === 'EMAIL_ALREADY_REGISTERED'
      ? form(409, given, newAccountErrors.EMAIL_ALREADY_REGISTERED.message)
      : null;
  };

const registrationOff = (): PageAnswer =>
  page(404, 'Create an account', html`<p>The operator of this service creates its accounts.</p>`);

export const accountPages: Readonly<Record<'register' | 'reset', FormPage>> = {
  register: {
    path: '/register',
    failed: failedAs(registerForm),
    render: ({ config }) => (config.REGISTER_PAGE ? registerForm(200) : registrationOff()),

    /** POST: runs the command of `register`, under the same limit. */
    submit: async ({ context, services }, given, ip) => {
      if (!context.config.REGISTER_PAGE) return registrationOff();
      await services.rateLimiter.limited([[registerLimit, `ip:${networkOf(ip)}`]], async () => {
        const parsed = personSchema.safeParse(given);
        if (!parsed.success) throw validationError(newAccountErrors, parsed.error.issues, {});
        const account = { ...parsed.data, rank: 'CAPT', developerKeyId: null } as const;
        await newAccount({ ...context, ...context.postgres }, account, () => Promise.resolve());
      });
      return page(
        200,
        'Account created',
        html`<p>An email with a link is on its way to <b>${given['email']}</b>. Open the link to verify the address, then sign in: in an app of this service, or <a href="/developers">as a developer</a>.</p>`,
      );
    },
  },
  reset: {
    path: '/reset',
    failed: failedAs(resetForm),
    render: () => resetForm(200),

    /** POST: runs the command of `requestPasswordReset`, under the same limits. */
    submit: async ({ context, services }, given, ip) => {
      const address = `ip:${networkOf(ip)}`;
      const account = `account:${await services.identities.accountKey(given['email'] ?? '')} ${address}`;
      const limits = [
        [resetRequestLimit, account],
        [resetAddressLimit, address],
      ] as const;
      await services.rateLimiter.limited(limits, async () => {
        const email = emailField().safeParse(given['email']);
        if (!email.success) throw validationError(newAccountErrors, email.error.issues, {});
        await context.postgres.transaction((tx) =>
          askForReset(tx, context, { email: email.data, returnUrl: null, application: null }),
        );
      });
      return page(
        200,
        'Recover an account',
        html`<p>If there is an account for this email address, an email is on its way.</p>`,
      );
    },
  },
};
