import type { Trail } from '#commands/audit/audited.ts';
import { DomainError } from '#domain/errors.ts';
import type { Clock } from '#domain/time.ts';
import { hashOfSecret, newSessionSecret } from '#store/auth/console-tokens.ts';
import { consoleTokenWrites } from '#store/postgres/console/tokens.ts';
import type { Tx } from '#store/postgres/sql.ts';

/** Uses up a token; returns the secret of its session. Throws TOKEN_INVALID when another call was faster. */
export const signIn = async (
  tx: Tx,
  { clock, trail }: { clock: Clock; trail: Trail },
  { tokenId }: { tokenId: number },
): Promise<string> => {
  await trail.changing('console token', tokenId);
  const secret = newSessionSecret();
  if ((await consoleTokenWrites(tx).use(tokenId, hashOfSecret(secret), clock.now())) === 0)
    throw new DomainError('TOKEN_INVALID', {}, 'This token has been used.');
  return secret;
};
