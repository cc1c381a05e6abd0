/** Tokens of the operator's console. */

/** A token signs in once within this time, and its session ends with it. */
export const tokenLifetimeSeconds = 43_200;

type TokenState = 'unused' | 'signed in' | 'expired' | 'revoked';

export interface ConsoleToken {
  id: number;
  /** Who it was issued for; changes are recorded under it. */
  name: string;
  createdAt: Date;
  expiresAt: Date;
  usedAt: Date | null;
  revokedAt: Date | null;
}

export const tokenState = ({ expiresAt, usedAt, revokedAt }: ConsoleToken, now: Date): TokenState => {
  if (revokedAt) return 'revoked';
  if (expiresAt <= now) return 'expired';
  return usedAt ? 'signed in' : 'unused';
};
