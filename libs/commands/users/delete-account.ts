import { DomainError } from '#domain/errors.ts';
import { graphicRepo } from '#data/postgres/performance/graphics.ts';
import { userWrites } from '#data/postgres/users/users.ts';
import type { Tx } from '#data/postgres/sql.ts';

/**
 * Deletes an account with its calculations, subscriptions and memberships. Returns the paths of its drawings, for the
 * caller to delete after the commit. Throws USER_NOT_FOUND.
 */
export const deleteAccount = async (
  tx: Tx,
  _deps: object,
  { userId }: { userId: number },
): Promise<string[]> => {
  const paths = await graphicRepo(tx).pathsOf(userId);
  if ((await userWrites(tx).delete(userId)) === 0)
    throw new DomainError('USER_NOT_FOUND', {}, `There is no user ${userId}.`);
  return paths;
};
