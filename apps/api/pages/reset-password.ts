/** The web form of a reset link (M-4.6.q3e). It needs no scripts and no developer key. */
import { newPasswordSchema } from '#domain/users/fields.ts';
import { findReset } from '#commands/users/credentials.ts';
import type { StoredReset } from '#store/postgres/users/password-resets.ts';
import { useResetToken } from '../queries/users/common/credentials.ts';
import { ApiError } from '../errors.ts';
import { networkOf } from '../services/rate-limiter.ts';
import { passwordResetLimit } from '../queries/users/common/users.ts';
import { alert, checkbox, field } from '../site/parts.ts';
import { html } from './html.ts';
import { page } from './page.ts';
import type { FormPage } from './page.ts';
import type { PageAnswer } from '../site/frame.ts';

const path = '/reset-password';
const title = 'Set a new password';

const form = (status: number, token: string, problem?: string): PageAnswer =>
  page(
    status,
    title,
    html`${alert(problem)}
<form class="sheet" method="post" action="${path}">
<input type="hidden" name="token" value="${token}">
${field('New password, at least 6 characters', 'password', html`type="password" autocomplete="new-password" required minlength="6" autofocus`)}
${checkbox('Renew the API key, too: apps and partners that use it need the new one', 'renewApiKey')}
<button>Save</button>
</form>`,
  );

const problemPage = (status: number, message: string): PageAnswer => page(status, title, alert(message));

const changed = ({ returnUrl, application }: StoredReset): PageAnswer => {
  if (returnUrl === null) {
    return page(200, 'Password changed', html`<p>You can now log in with your new password.</p>`);
  }
  if (application !== null)
    return page(
      200,
      'Password changed',
      html`<p>The application “${application}” asked for this page to lead to
<a href="${returnUrl}" rel="noreferrer">${returnUrl}</a>. The operator of this service has not checked that address.</p>`,
    );
  // The URL was validated when it was supplied (A-12); it is shown so that nobody is redirected unawares.
  return page(
    200,
    'Password changed',
    html`<p>In 2 seconds you will be redirected to <a href="${returnUrl}" rel="noreferrer">${returnUrl}</a></p>`,
    html`<meta http-equiv="refresh" content="2;url=${returnUrl}">\n`,
  );
};

const passwordProblem = (password: string): string | null => {
  const parsed = newPasswordSchema.safeParse(password);
  if (parsed.success) return null;
  return parsed.error.issues[0]?.message === 'INVALID_FIELD'
    ? 'The password is too long.'
    : 'The password must have at least 6 characters.';
};

export const resetPasswordPage: FormPage = {
  path,

  /** GET: the form, or the problem of the link. Opening the link does not use it up. */
  render: async ({ postgres, clock }, { token = '' }) => {
    if (token === '') return problemPage(400, 'This link is incomplete.');
    await findReset(postgres.db, { clock }, token);
    return form(200, token);
  },

  /** POST: runs the command of `resetPassword`, under the same limit. */
  submit: async (parts, fields, ip) => {
    const { token = '', password = '' } = fields;
    const problem = passwordProblem(password);
    if (problem !== null) return form(400, token, problem);
    const given = { token, password, renewApiKey: fields['renewApiKey'] !== undefined };
    const reset = { ...parts.context, ...parts.context.postgres };
    const limits = [[passwordResetLimit, `ip:${networkOf(ip)}`]] as const;
    return changed(await parts.services.rateLimiter.limited(limits, () => useResetToken(reset, given)));
  },

  failed: (error) => {
    if (error instanceof ApiError) return problemPage(error.status, error.message);
    return error.code === 'RESET_TOKEN_EXPIRED'
      ? problemPage(410, 'This link has expired. Please request a new one.')
      : problemPage(400, 'This link is invalid or has already been used.');
  },
};
