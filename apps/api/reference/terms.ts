/** Describes in words who may call an operation, and how often. */
import type { Auth, KeyNeed } from '../define.ts';
import { generalLimit } from '../limits.ts';
import type { Limit, LimitSubject } from '../limits.ts';
import type { Registered } from '../registry.ts';

const permissionText = (need: KeyNeed): string => {
  if (typeof need === 'string') return need === 'any' ? '' : ` with \`${need}\``;
  if (!('userInfo' in need)) return ` with subscription ${need.subscription}`;
  return need.userInfo === 'any' ? ' with any level of user_info' : ` with user_info ${need.userInfo}`;
};

export const authText = (auth: Auth): string => {
  if (auth === 'jwt') return 'user token';
  if (auth === 'none') return 'none';
  if (auth === 'signed') return 'API key and signature';
  return 'apiKey' in auth ? `\`${auth.apiKey}\` in the body` : auth.verified;
};

/** `a user token, a developer key with \`weather\`, subscription level 1`; `nothing`. */
export const needsText = ({ auth, devKey, isKeyInCall, level = 0 }: Registered): string => {
  const needs = [
    ...(auth === 'none' ? [] : [auth === 'jwt' ? 'a user token' : authText(auth)]),
    ...(devKey === null
      ? []
      : [`a developer key${permissionText(devKey)}${isKeyInCall ? ' sent with the call itself' : ''}`]),
    ...(level === 0 ? [] : [`subscription level ${level}`]),
  ];
  return needs.length === 0 ? 'nothing' : needs.join(', ');
};

const subjectText = (subject: LimitSubject): string => {
  if (typeof subject === 'object') return `account of \`${subject.account}\``;
  return { user: 'user', key: 'developer key', ip: 'address' }[subject];
};

const limitText = ({ points, perSeconds, by, counts = 'all' }: Limit): string => {
  const subjects = (Array.isArray(by) ? by : [by]) as readonly LimitSubject[];
  const what = counts === 'all' ? '' : ` ${counts}`;
  return `${points}${what} per ${perSeconds} s by ${subjects.map(subjectText).join(' and ')}`;
};

export const limitsText = (operation: Registered): string =>
  [...(operation.kind === 'webhook' ? [] : [generalLimit]), ...(operation.limits ?? [])]
    .map(limitText)
    .join('; ');

/** Who may call the operation, and how often, in one line. */
export const termsOf = (operation: Registered): string =>
  `Needs ${needsText(operation)}. Limits: ${limitsText(operation)}.`;
