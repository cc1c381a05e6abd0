import type { IssuedToken, Tokens } from '#store/auth/tokens.ts';
import type { Context } from '#data/context.ts';
import { identityRepo } from '#store/postgres/users/identities.ts';
import { guestEmail } from '#domain/users/types.ts';
import type { Identities } from './identities.ts';

/** Why the calculator is not available. */
export type GuestProblem = 'NO_KEY' | 'KEY_REVOKED' | 'NO_ACCOUNT';

/** Tokens for visitors without an account, who use the operator's key and account at `/try`. */
export const createGuests = (
  { config, postgres }: Pick<Context, 'config' | 'postgres'>,
  { identities, tokens }: { identities: Identities; tokens: Tokens },
) => {
  const { TRY_DEVELOPER_KEY: key } = config;

  const find = async () => {
    if (key === undefined) return 'NO_KEY';
    const developerKey = (await identities.of({ claims: null, key })).key;
    if (!developerKey) return 'KEY_REVOKED';
    const userId = await identityRepo(postgres.db).idByEmail(guestEmail);
    const caller = userId === null ? null : await identities.byUserId(userId);
    return caller && !caller.isDisabled ? { caller, developerKey } : 'NO_ACCOUNT';
  };

  return {
    problem: async (): Promise<GuestProblem | null> => {
      const found = await find();
      return typeof found === 'string' ? found : null;
    },
    issue: async (): Promise<IssuedToken | null> => {
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
