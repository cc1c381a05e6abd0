import { DomainError } from '#domain/errors.ts';
import type { Clock } from '#domain/time.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { userWrites } from '#store/postgres/users/users.ts';
import { endHandedOut } from './end-handed-out.ts';

/**
 * Disables an account immediately and ends what was handed out, also for when it is enabled again (G-03); idempotent. Throws
 * USER_NOT_FOUND.
 */
export const disableAccount = async (
  tx: Tx,
  { clock }: { clock: Clock },
  { userId }: { userId: number },
): Promise<void> => {
  if ((await userWrites(tx).disable(userId, clock.now())) === 0)
    throw new DomainError('USER_NOT_FOUND', {}, `There is no user ${userId}.`);
  await endHandedOut(tx, { clock }, { userId, event: 'disable' });
};
