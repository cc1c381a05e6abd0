/** Tokens of the console. */
import type { Deps } from '#commands/deps.ts';
import { tokenLifetimeSeconds } from '#domain/console/token.ts';
import { DomainError } from '#domain/errors.ts';
import { addSeconds } from '#domain/time.ts';
import { hashOfSecret, newConsoleToken, newSessionSecret } from '#store/auth/console-tokens.ts';
import { consoleTokenWrites } from '#store/postgres/console/tokens.ts';
import type { Tx } from '#store/postgres/sql.ts';

/** Issues a token for the console; only the answer has it. */
export const issueToken = async (
  tx: Tx,
  { clock }: Deps<'clock'>,
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
  return { id, token, expiresAt };
};

/** Uses up a token; returns the secret of its session. Throws TOKEN_INVALID when another call was faster. */
export const signIn = async (
  tx: Tx,
  { clock }: Deps<'clock'>,
  { tokenId }: { tokenId: number },
): Promise<string> => {
  const secret = newSessionSecret();
  if ((await consoleTokenWrites(tx).use(tokenId, hashOfSecret(secret), clock.now())) === 0)
    throw new DomainError('TOKEN_INVALID', {}, 'This token has been used.');
  return secret;
};

/** Revokes a token of the console and ends its session at once. Throws NOT_FOUND. */
export const revokeToken = async (
  tx: Tx,
  { clock }: Deps<'clock'>,
  { id }: { id: number },
): Promise<void> => {
  if ((await consoleTokenWrites(tx).revoke(id, clock.now())) === 0)
    throw new DomainError('NOT_FOUND', {}, `There is no token ${id} in use.`);
};
