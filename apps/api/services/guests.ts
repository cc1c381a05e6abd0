import type { IssuedToken, Tokens } from '#data/auth/tokens.ts';
import type { Context } from '#data/context.ts';
import { identityRepo } from '#data/postgres/users/identities.ts';
import type { Identities } from './identities.ts';

/** Why there is no calculator. */
export type GuestProblem = 'NO_KEY' | 'KEY_REVOKED' | 'NO_ACCOUNT';

/** Tokens of visitors without an account, who calculate with the operator's key and account (`/try`). */
export interface Guests {
  problem: () => Promise<GuestProblem | null>;
  issue: () => Promise<IssuedToken | null>;
}

export const createGuests = (
  { config, postgres }: Pick<Context, 'config' | 'postgres'>,
  { identities, tokens }: { identities: Identities; tokens: Tokens },
): Guests => {
  const { TRY_DEVELOPER_KEY: key, TRY_ACCOUNT: email } = config;

  const find = async () => {
    if (key === undefined) return 'NO_KEY';
    const developerKey = (await identities.of({ claims: null, key })).key;
    if (!developerKey) return 'KEY_REVOKED';
    const userId = await identityRepo(postgres.db).idByEmail(email);
    const caller = userId === null ? null : await identities.byUserId(userId);
    return caller && !caller.isDisabled ? { caller, developerKey } : 'NO_ACCOUNT';
  };

  return {
    problem: async () => {
      const found = await find();
      return typeof found === 'string' ? found : null;
    },
    issue: async () => {
      const found = await find();
      if (typeof found === 'string') return null;
      const { caller, developerKey } = found;
      return tokens.issue({
        userId: caller.userId,
        developerKeyId: developerKey.id,
        generation: caller.tokenGeneration,
        isGuest: true,
      });
    },
  };
};
