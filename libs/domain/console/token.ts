/** Tokens for the operator's console. */

/** A token allows one sign-in within this time, and limits the session. */
export const tokenLifetimeSeconds = 43_200;

type TokenState = 'unused' | 'signed in' | 'expired' | 'revoked';

export interface ConsoleToken {
  id: number;
  /** Owner of the token; changes are recorded under this name. */
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
