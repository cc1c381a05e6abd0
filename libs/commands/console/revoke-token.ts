import type { Trail } from '#commands/audit/audited.ts';
import { DomainError } from '#domain/errors.ts';
import type { Clock } from '#domain/time.ts';
import { consoleTokenWrites } from '#store/postgres/console/tokens.ts';
import type { Tx } from '#store/postgres/sql.ts';

/** Revokes a token of the console and ends its session at once. Throws NOT_FOUND. */
export const revokeToken = async (
  tx: Tx,
  { clock, trail }: { clock: Clock; trail: Trail },
  { id }: { id: number },
): Promise<void> => {
  await trail.changing('console token', id);
  if ((await consoleTokenWrites(tx).revoke(id, clock.now())) === 0)
    throw new DomainError('NOT_FOUND', {}, `There is no token ${id} in use.`);
};
