/** The invitation mail for a shared plan. */
import { wireTimeOrNull } from '../time.ts';
import { escaped } from '../users/mails.ts';
import { nameInMail } from '../users/names.ts';
import type { SharePermission } from './share.ts';

interface Invitation {
  /** First and last name of the owner. */
  owner: string;
  /** The plan's name, chosen by a client. */
  plan: string;
  permission: SharePermission;
  link: string;
  code: string;
  expiresAt: Date | null;
}

export const invitationMail = ({
  owner,
  plan,
  permission,
  link,
  code,
  expiresAt,
}: Invitation): { subject: string; text: string; html: string } => {
  const right = permission === 'edit' ? 'view it and change its flight data' : 'view it';
  const until = wireTimeOrNull(expiresAt);
  const first = `${nameInMail(owner)} shares the flight plan "${nameInMail(plan)}" with you. You can ${right}.`;
  const last = [
    ...(until === null ? [] : [`The invitation expires on ${until} UTC.`]),
    'If you do not know the sender, ignore this email.',
  ].join(' ');
  const invitation = 'To accept, open this link on the device with the app:';
  const paragraphs = [
    ['Hello,'],
    [first],
    [invitation],
    [link, `<a href="${escaped(link)}">${escaped(link)}</a>`],
    [`Or enter this code in the app: ${code}`, `Or enter this code in the app: <b>${escaped(code)}</b>`],
    [last],
  ].map(([text = '', html = escaped(text)]) => ({ text, html }));
  return {
    subject: 'A flight plan has been shared with you',
    text: `${paragraphs.map(({ text }) => text).join('\n\n')}\n`,
    html: paragraphs.map(({ html }) => `<p>${html}</p>`).join('\n'),
  };
};
