import { DomainError } from '#domain/errors.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { userWrites } from '#store/postgres/users/users.ts';

/**
 * Enables a disabled account; earlier tokens stay revoked, so the user has to log in. Throws USER_NOT_FOUND.
 */
export const enableAccount = async (tx: Tx, _deps: object, { userId }: { userId: number }): Promise<void> => {
  if ((await userWrites(tx).enable(userId)) === 0)
    throw new DomainError('USER_NOT_FOUND', {}, `There is no user ${userId}.`);
};
