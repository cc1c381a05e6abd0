import { DomainError } from '#domain/errors.ts';
import { newApiKey, sealApiKey } from '#store/auth/api-keys.ts';
import type { Config } from '#platform/config/config.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { userWrites } from '#store/postgres/users/users.ts';

/** Replaces the API key of an account; the one before is refused from the commit on. Throws USER_NOT_FOUND. */
export const rotateApiKey = async (
  tx: Tx,
  { config }: { config: Pick<Config, 'ENCRYPTION_KEYS'> },
  { userId }: { userId: number },
): Promise<{ apiKey: string }> => {
  const apiKey = newApiKey();
  if ((await userWrites(tx).setApiKey(userId, sealApiKey(apiKey, config.ENCRYPTION_KEYS))) === 0)
    throw new DomainError('USER_NOT_FOUND', {}, `There is no user ${userId}.`);
  return { apiKey };
};
