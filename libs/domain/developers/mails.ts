/** Mails to the owner of an application about its developer key. */
import { wireTime } from '../time.ts';
import { nameInMail } from '../users/names.ts';

const news = {
  created: 'A developer key was created',
  rotated: 'The developer key was rotated; the previous one works for another day',
  revoked: 'The developer key was revoked; so was every token that was issued for it',
  permissions: 'The permissions were changed',
  settings: 'Name, return targets or app scheme were changed',
  granted: 'The permissions that you asked for were granted',
  refused: 'The permissions that you asked for were refused',
} as const;

export type KeyNews = keyof typeof news;

/** Who made a change. */
export type ChangedBy = 'owner' | 'operator';

interface KeyChange {
  id: number;
  name: string;
  what: KeyNews;
  by: ChangedBy;
  at: Date;
  /** The key's permissions, '' for none. Null: several changes were made and are mailed once they end. */
  permissions: string | null;
}

export const developerKeyMail = ({ id, name, what, by, at, permissions }: KeyChange) => {
  const application = `application ${id}${nameInMail(name) === '' ? '' : ` (${nameInMail(name)})`}`;
  return {
    subject: `${news[what].split(';')[0]}: application ${id}`,
    text: [
      `${news[what]}: ${application}.`,
      '',
      `When: ${wireTime(at)} UTC${permissions === null ? ', possibly followed by further changes' : ''}`,
      `By: ${by === 'owner' ? 'your account, at /developers' : 'the operator'}`,
      `Permissions now: ${permissions === null ? 'see /developers' : permissions || 'none'}`,
      '',
      by === 'owner'
        ? 'If this was not you, change your password and revoke the key at /developers.'
        : 'The operator answers questions about this.',
      '',
    ].join('\n'),
  };
};
