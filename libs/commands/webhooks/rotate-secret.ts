import { DomainError } from '#domain/errors.ts';
import { addSeconds } from '#domain/time.ts';
import type { Clock } from '#domain/time.ts';
import { newWebhookSecret, sealWebhookSecret } from '#store/auth/webhook-secrets.ts';
import { webhookEndpointWrites } from '#store/postgres/webhooks/endpoints.ts';
import type { Tx } from '#store/postgres/sql.ts';
import type { Config } from '#platform/config/config.ts';

/** So long the secret before signs, too. */
const overlapSeconds = 86_400;

/** A new secret of an endpoint, shown once. Throws NOT_FOUND. */
export const rotateSecret = async (
  tx: Tx,
  { clock, config }: { clock: Clock; config: Pick<Config, 'ENCRYPTION_KEYS'> },
  { id }: { id: number },
): Promise<{ secret: string; previousUntil: Date }> => {
  const secret = newWebhookSecret();
  const previousUntil = addSeconds(clock.now(), overlapSeconds);
  const sealed = sealWebhookSecret(secret, config.ENCRYPTION_KEYS);
  if ((await webhookEndpointWrites(tx).rotate(id, sealed, previousUntil)) === 0)
    throw new DomainError('NOT_FOUND', {}, `There is no endpoint ${id}.`);
  return { secret, previousUntil };
};
