import type { Entitlement } from '../subscriptions/entitlement.ts';

/** The account whose allowance visitors of `/try` share. */
export const guestEmail = 'try@localhost.localdomain';

export type UserInfoLevel = 'SIMPLE' | 'MEDIUM' | 'FULL';
export type SubscriptionTier = 'READ' | 'FULL';

/** An application and its permissions. The key itself is stored only as a hash. */
export interface DeveloperKey {
  id: number;
  name: string;
  userInfo: UserInfoLevel | null;
  weather: boolean;
  efb: boolean;
  library: boolean;
  subscription: SubscriptionTier | null;
  returnUrlHosts: readonly string[];
}

export interface VaAdmin {
  scope: 'VA_ONLY' | 'FULL';
  vaId: number | null;
}

/** The user behind a request. */
export interface Caller {
  userId: number;
  email: string;
  /** Decrypted on demand. */
  apiKey: () => string;
  tokenGeneration: number;
  /** Signatures and confirmations from before this time, a whole second, are refused. */
  credentialsFrom: Date;
  isDisabled: boolean;
  activeVaId: number | null;
  vaIds: readonly number[];
  vaAdmin: VaAdmin | null;
  entitlement: Entitlement;
}
