import type { Trail } from '#commands/audit/audited.ts';
import { tokenLifetimeSeconds } from '#domain/console/token.ts';
import { addSeconds } from '#domain/time.ts';
import type { Clock } from '#domain/time.ts';
import { hashOfSecret, newConsoleToken } from '#store/auth/console-tokens.ts';
import { consoleTokenWrites } from '#store/postgres/console/tokens.ts';
import type { Tx } from '#store/postgres/sql.ts';

/** Issues a token for the console; only the answer has it. */
export const issueToken = async (
  tx: Tx,
  { clock, trail }: { clock: Clock; trail: Trail },
  { name }: { name: string },
): Promise<{ id: number; token: string; expiresAt: Date }> => {
  const token = newConsoleToken();
  const createdAt = clock.now();
  const expiresAt = addSeconds(createdAt, tokenLifetimeSeconds);
  const id = await consoleTokenWrites(tx).add({
    name,
    tokenHash: hashOfSecret(token),
    createdAt,
    expiresAt,
  });
  trail.created('console token', id);
  return { id, token, expiresAt };
};
