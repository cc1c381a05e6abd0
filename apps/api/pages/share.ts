/**
 * The page behind a share link: the shared plan with route, times and fuel, a button that opens the app, and
 * a code to type on another device.
 */
import { hashOfSecret, openShareSecrets } from '#store/auth/secrets.ts';
import { shareRepo } from '#store/postgres/ofp/shares.ts';
import type { SharedPlan } from '#store/postgres/ofp/shares.ts';
import { isExpired, pastedShareToken, shareDeepLink } from '#domain/ofp/share.ts';
import type { Share, ShareSecrets } from '#domain/ofp/share.ts';
import { wireTimeOrNull } from '#domain/time.ts';
import { alert } from '../site/parts.ts';
import { html } from './html.ts';
import { page } from './page.ts';
import type { FormPage } from './page.ts';
import type { PageAnswer } from '../site/frame.ts';
import { planFacts } from './plan-facts.ts';

const title = 'A flight plan for you';

const failed = (status: number, message: string, hint: string): PageAnswer =>
  page(status, title, html`${alert(message)}<p>${hint}</p>`);

const askAgain = 'Ask the sender for a new invitation.';
const incomplete = () => failed(400, 'This link is incomplete.', 'Open the whole link of the invitation.');
const unknown = () => failed(404, 'This invitation does not exist.', askAgain);

const rights = {
  view: 'You can view it.',
  edit: 'You can view it and change its flight data.',
} as const;

const invitation = (share: Share, plan: SharedPlan, { token, code }: ShareSecrets): PageAnswer => {
  const link = shareDeepLink(token, share);
  const until = wireTimeOrNull(share.expiresAt)?.slice(0, 16);
  const install = 'Nothing opens? Install the app on this device first';
  const otherWay =
    code === ''
      ? html`<p>${install}.</p>`
      : html`<p>${install}, or enter this code in the app:</p>
<p><code class="key">${code}</code></p>`;
  return page(
    200,
    title,
    html`<p>Flight plan <b>${plan.name}</b> is shared with you. ${rights[share.permission]}</p>
${planFacts(plan.facts)}
<p><a class="button" href="${link}" autofocus>Open in the app</a></p>
${otherWay}
${until !== undefined && html`<p>The invitation expires on ${until} UTC.</p>`}`,
  );
};

export const sharePage: FormPage = {
  path: '/share',

  /** GET: opening the link accepts nothing, since previews open links, too. */
  render: async ({ postgres, config, clock }, { t: token = '' }) => {
    if (token === '') return incomplete();
    if (pastedShareToken(token) !== token) return token.length < 48 ? incomplete() : unknown();
    const share = await shareRepo(postgres.db).byToken(hashOfSecret(token));
    if (!share) return unknown();
    if (share.status === 'revoked')
      return failed(
        410,
        'This invitation has been revoked.',
        'The flight plan is no longer shared with you.',
      );
    if (isExpired(share, clock.now())) return failed(410, 'This invitation has expired.', askAgain);
    if (share.isOwnerDisabled)
      return failed(
        403,
        'The account of the sender is disabled.',
        'The invitation waits until the account is enabled again.',
      );
    // The code cannot be decrypted if its key is no longer configured.
    const secrets = openShareSecrets(share, config.ENCRYPTION_KEYS);
    return share.plan === null ? unknown() : invitation(share, share.plan, secrets ?? { token, code: '' });
  },
};
