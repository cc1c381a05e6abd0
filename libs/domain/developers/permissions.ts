/** Permissions of an application: granted, granted by rule, and pending approval by the operator. */
import type { DeveloperKey } from '../users/types.ts';

export type Permissions = Pick<DeveloperKey, 'userInfo' | 'weather' | 'efb' | 'library' | 'subscription'>;

export const noPermissions: Permissions = {
  userInfo: null,
  weather: false,
  efb: false,
  library: false,
  subscription: null,
};

const userInfoLevels = ['SIMPLE', 'MEDIUM', 'FULL'] as const;
const subscriptionTiers = ['READ', 'FULL'] as const;

/** A sentence per permission, for developers and operators. */
export const permissionTexts = {
  userInfo:
    'Who the user is: SIMPLE has names, rank and airlines; MEDIUM also the address, FULL also the API key',
  weather: 'Weather, winds and routes',
  efb: 'Navigation data and the EFB',
  library: 'Documents of the user and of airlines',
  subscription: 'Subscriptions: READ shows them, FULL changes them',
} as const;

const rankIn = <T extends string>(levels: readonly T[], level: T | null): number =>
  level === null ? -1 : levels.indexOf(level);

/** Up to this level, user information needs no approval. */
const openUserInfo = rankIn(userInfoLevels, 'SIMPLE');

/**
 * The result of a permission request. Fewer permissions, and those that reveal little about people (weather, EFB,
 * names), apply at once. `waiting`: the request, if any of it needs the operator.
 */
export const grantedByRule = (
  held: Permissions,
  asked: Permissions,
): { granted: Permissions; waiting: Permissions | null } => {
  const hasUserInfo =
    rankIn(userInfoLevels, asked.userInfo) <= Math.max(openUserInfo, rankIn(userInfoLevels, held.userInfo));
  const hasTier =
    rankIn(subscriptionTiers, asked.subscription) <= rankIn(subscriptionTiers, held.subscription);
  const hasLibrary = !asked.library || held.library;
  return {
    granted: {
      weather: asked.weather,
      efb: asked.efb,
      library: asked.library && held.library,
      userInfo: hasUserInfo ? asked.userInfo : (held.userInfo ?? 'SIMPLE'),
      subscription: hasTier ? asked.subscription : held.subscription,
    },
    waiting: hasUserInfo && hasTier && hasLibrary ? null : asked,
  };
};

/** `user info SIMPLE, weather`; '' for none. */
export const permissionsText = (key: Permissions): string =>
  [
    key.userInfo !== null && `user info ${key.userInfo}`,
    key.weather && 'weather',
    key.efb && 'EFB',
    key.library && 'library',
    key.subscription !== null && `subscription ${key.subscription}`,
  ]
    .filter((part) => part !== false)
    .join(', ');

/** Active applications that an account may own. */
export const maxApplications = 5;
/** How long the previous key stays valid after a rotation. */
export const keyOverlapSeconds = 86_400;
/** How long developers stay signed in. */
export const sessionSeconds = 43_200;
