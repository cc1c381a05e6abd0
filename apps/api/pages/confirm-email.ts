/** The page behind the link that confirms an email address. It needs no scripts and no developer key. */
import { confirmEmail, findEmailProof } from '#commands/users/email.ts';
import type { EmailOutcome } from '#commands/users/email.ts';
import type { EmailProof } from '#store/postgres/users/email-proofs.ts';
import { ApiError } from '../errors.ts';
import { networkOf } from '../services/rate-limiter.ts';
import { emailLinkLimit } from '../queries/users/common/users.ts';
import { alert } from '../site/parts.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { page } from './page.ts';
import type { FormPage } from './page.ts';
import type { PageAnswer } from '../site/frame.ts';

const path = '/confirm-email';
const title = 'Confirm your email address';

const questionOf = ({ address, newAddress }: EmailProof): Html => {
  if (newAddress === null) return html`Is <b>${address}</b> your email address?`;
  return address === newAddress
    ? html`Shall <b>${address}</b> be the new address of your account?`
    : html`Shall the email address of your account change from <b>${address}</b> to <b>${newAddress}</b>?`;
};

const form = (token: string, proof: EmailProof): PageAnswer =>
  page(
    200,
    title,
    html`<p>${questionOf(proof)}</p>
<form class="sheet" method="post" action="${path}">
<input type="hidden" name="token" value="${token}">
<button autofocus>Confirm</button>
</form>`,
  );

const done: Readonly<Record<EmailOutcome, readonly [title: string, text: string]>> = {
  verified: ['Email address confirmed', 'Thank you: your email address is confirmed.'],
  waiting: [
    'One more step',
    'Thank you. Your email address changes as soon as the link in the email to the other address has been opened, too.',
  ],
  changed: ['Email address changed', 'Your account has the new email address. Use it to log in.'],
};

const problemPage = (status: number, message: string): PageAnswer => page(status, title, alert(message));

const askAgain = 'Please request a new one in the app.';
const problems: Readonly<Record<string, readonly [status: number, text: string]>> = {
  INVALID_EMAIL_LINK: [400, 'This link is invalid or has already been used.'],
  EMAIL_LINK_EXPIRED: [410, `This link has expired. ${askAgain}`],
  EMAIL_ALREADY_REGISTERED: [409, 'Another account has the new email address by now.'],
};

export const confirmEmailPage: FormPage = {
  path,

  /** GET: shows the confirmation form. Opening the link confirms nothing, since mail previews open links, too. */
  render: async ({ postgres, clock }, { token = '' }) => {
    if (token === '') return problemPage(400, 'This link is incomplete.');
    return form(token, await findEmailProof(postgres.db, { clock }, token));
  },

  submit: async ({ context, services }, { token = '' }, ip) => {
    const limits = [[emailLinkLimit, `ip:${networkOf(ip)}`]] as const;
    const outcome = await services.rateLimiter.limited(limits, async () => {
      const proof = await findEmailProof(context.postgres.db, context, token);
      return context.postgres.transaction((tx) => confirmEmail(tx, context, proof));
    });
    const [heading, text] = done[outcome];
    return page(200, heading, html`<p>${text}</p>`);
  },

  failed: (error) => {
    if (error instanceof ApiError) return problemPage(error.status, error.message);
    const known = problems[error.code];
    return known ? problemPage(...known) : null;
  },
};
