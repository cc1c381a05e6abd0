import type { Trail } from '#commands/audit/audited.ts';
import { DomainError } from '#domain/errors.ts';
import type { Clock } from '#domain/time.ts';
import { developerKeyWrites } from '#data/postgres/developer-keys/developer-keys.ts';
import type { Tx } from '#data/postgres/sql.ts';

/** Revokes a developer key immediately. Throws NOT_FOUND. */
export const revokeKey = async (
  tx: Tx,
  { clock, trail }: { clock: Clock; trail: Trail },
  { id }: { id: number },
): Promise<void> => {
  await trail.changing('developer key', id);
  if ((await developerKeyWrites(tx).revoke(id, clock.now())) === 0)
    throw new DomainError('NOT_FOUND', {}, `There is no developer key ${id} in use.`);
};
