import type { JobProducer } from '#domain/jobs/port.ts';
import type { Clock } from '#domain/time.ts';
import { passwordChangedMail } from '#domain/users/password-changed-mail.ts';
import { queueMail } from '#commands/mail/queue-mail.ts';
import type { Config } from '#platform/config/config.ts';
import { userWrites } from '#store/postgres/users/users.ts';
import type { Addressee } from '#store/postgres/users/users.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { endHandedOut } from './end-handed-out.ts';
import { rotateApiKey } from './rotate-api-key.ts';

export interface SetPasswordDeps {
  clock: Clock;
  jobs: JobProducer<Tx>;
  config: Pick<Config, 'ENCRYPTION_KEYS'>;
}

export interface NewPassword {
  userId: number;
  /** Hashed before the transaction, which must not be held open during argon2. */
  passwordHash: string;
  renewsApiKey: boolean;
  event: 'reset' | 'changePassword';
}

/**
 * Sets a new password and ends what was handed out with the old one; the API key on request. A mail reports it; returns to whom.
 */
export const setPassword = async (
  tx: Tx,
  { clock, jobs, config }: SetPasswordDeps,
  { userId, passwordHash, renewsApiKey, event }: NewPassword,
): Promise<Addressee> => {
  const now = clock.now();
  await endHandedOut(tx, { clock }, { userId, event });
  const addressee = await userWrites(tx).setPassword(userId, passwordHash);
  const { email, firstname, tokenGeneration } = addressee;
  if (renewsApiKey) await rotateApiKey(tx, { config }, { userId });
  const key = `password-changed:${userId}:${tokenGeneration}`;
  const mail = passwordChangedMail(firstname, { isApiKeyRenewed: renewsApiKey });
  await queueMail(tx, { jobs }, { ...mail, key, to: email, createdAt: now });
  return addressee;
};
