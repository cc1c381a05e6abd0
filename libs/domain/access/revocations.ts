/**
 * Which credentials and open connections each event revokes. The code that revokes them reads this table, a test tries
 * every cell over HTTP, and docs/users.md shows it.
 */

export const accessEvents = {
  reset: 'new password by mailed link',
  changePassword: 'changePassword',
  changeEmail: 'changeEmail',
  logout: 'logout',
  logoutEverywhere: 'logoutEverywhere',
  disable: 'user disable',
  delete: 'account deleted',
  keyRevoked: 'devkey revoke',
  keyReduced: 'devkey update',
  levelLost: 'subscription ends',
  airlineLeft: 'airline left',
} as const;
export type AccessEvent = keyof typeof accessEvents;

export const issued = {
  token: 'token of the session and developer key that the event is about',
  permission: 'the same token, for what needs a permission of its key',
  level: 'the same token, for documents of the level',
  airline: 'the same token, for documents of the airline',
  otherToken: 'token of another session, issued for another key',
  approvedDevice: 'approval of a device that has not fetched its token',
  apiKey: 'API key, for new signatures',
  signature: 'signature of a call',
  confirmation: 'confirmation of a signed action',
  deletion: 'confirmation of `deleteAccount`',
  fileLink: 'download link of the user’s file',
  levelFileLink: 'download link of a document of the level',
  airlineFileLink: 'download link of a document of the airline',
  resetLink: 'mailed link for a new password',
  emailChangeLink: 'mailed links of `changeEmail`',
  verificationLink: 'mailed link that verifies the address',
  invitationLink: 'link of an invitation to a plan',
  invitationCode: 'code of an invitation to a plan',
  sharedReading: 'accepted share: reading',
  sharedChange: 'accepted share: changing',
  drawing: 'URL of a drawing',
  picture: 'URL of a profile picture',
  print: 'URL of a print',
  stream: 'stream of changes that is open',
  longPoll: 'call of `changes` that waits',
  upload: 'upload in pieces',
  storedAnswer: 'stored answer of a call with an `Idempotency-Key`',
  repeatedSave: 'repeat of a save with its `clientId`',
  application: 'developer key of the user’s application',
  webhook: 'message that waits for an application',
} as const;
export type Issued = keyof typeof issued;

/** `waits`: refused until the account is enabled again. */
export type Effect = 'ends' | 'waits' | 'stays';

interface Revocation {
  ends: readonly Issued[];
  waits?: readonly Issued[];
}

/** Requests in progress that end when their token is revoked. */
const openWork = ['stream', 'longPoll', 'upload', 'storedAnswer', 'repeatedSave'] as const;
const sessionTokens = ['token', 'permission', 'level', 'airline', ...openWork] as const;
const signedIn = [
  ...sessionTokens,
  'otherToken',
  'approvedDevice',
  'signature',
  'confirmation',
  'deletion',
  'fileLink',
  'levelFileLink',
  'airlineFileLink',
  'emailChangeLink',
] as const;

const revocations: Readonly<Record<AccessEvent, Revocation>> = {
  reset: { ends: [...signedIn, 'webhook', 'resetLink'] },
  // The answer contains a new token.
  changePassword: { ends: [...signedIn, 'resetLink'] },
  changeEmail: { ends: ['resetLink', 'emailChangeLink', 'verificationLink'] },
  logout: { ends: [...sessionTokens, 'webhook'] },
  logoutEverywhere: { ends: [...signedIn, 'webhook'] },
  disable: {
    ends: [...signedIn, 'webhook', 'resetLink'],
    waits: ['apiKey', 'invitationLink', 'invitationCode', 'sharedChange', 'application'],
  },
  delete: { ends: Object.keys(issued) as Issued[] },
  keyRevoked: { ends: [...sessionTokens, 'webhook', 'approvedDevice'] },
  keyReduced: { ends: ['permission', 'upload', 'storedAnswer', 'webhook'] },
  levelLost: { ends: ['level', 'levelFileLink'] },
  airlineLeft: { ends: ['airline', 'airlineFileLink'] },
};

export const effectOf = (event: AccessEvent, what: Issued): Effect => {
  const { ends, waits = [] } = revocations[event];
  if (ends.includes(what)) return 'ends';
  return waits.includes(what) ? 'waits' : 'stays';
};
