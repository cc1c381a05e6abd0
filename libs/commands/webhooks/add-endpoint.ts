import { DomainError } from '#domain/errors.ts';
import type { Clock } from '#domain/time.ts';
import { endpointUrlProblem } from '#domain/webhooks/endpoint-url.ts';
import type { WebhookEvent } from '#domain/webhooks/events.ts';
import { newWebhookSecret, sealWebhookSecret } from '#store/auth/webhook-secrets.ts';
import { webhookEndpointWrites } from '#store/postgres/webhooks/endpoints.ts';
import type { Tx } from '#store/postgres/sql.ts';
import type { Config } from '#platform/config/config.ts';
import { mayBePublic } from '#platform/public-address.ts';

const maxEndpoints = 10;

interface Deps {
  clock: Clock;
  config: Pick<Config, 'ENCRYPTION_KEYS' | 'WEBHOOKS_TO_PRIVATE_NETWORKS'>;
}

/**
 * An endpoint of an application; only the answer has its secret. Throws NOT_FOUND, INVALID_ENDPOINT with the sentence, or
 * ENDPOINT_LIMIT_REACHED.
 */
export const addEndpoint = async (
  tx: Tx,
  { clock, config }: Deps,
  given: { developerKeyId: number; url: string; events: readonly WebhookEvent[] },
): Promise<{ id: number; secret: string }> => {
  const { WEBHOOKS_TO_PRIVATE_NETWORKS: isOpen, ENCRYPTION_KEYS: keys } = config;
  const url = given.url.trim();
  const problem = endpointUrlProblem(url, isOpen);
  if (problem !== null) throw new DomainError('INVALID_ENDPOINT', {}, problem);
  if (!isOpen && !mayBePublic(new URL(url)))
    throw new DomainError('INVALID_ENDPOINT', {}, 'The URL must lead to a public address.');
  const [firstEvent] = given.events;
  if (!firstEvent) throw new DomainError('INVALID_ENDPOINT', {}, 'Choose at least one event.');
  const endpoints = webhookEndpointWrites(tx);
  const count = await endpoints.countOf(given.developerKeyId);
  if (count === null)
    throw new DomainError('NOT_FOUND', {}, `There is no developer key ${given.developerKeyId} in use.`);
  if (count >= maxEndpoints)
    throw new DomainError(
      'ENDPOINT_LIMIT_REACHED',
      {},
      `The applications of an account have at most ${maxEndpoints} endpoints together.`,
    );
  const secret = newWebhookSecret();
  const id = await endpoints.insert({
    ...given,
    url,
    secretSealed: sealWebhookSecret(secret, keys),
    createdAt: clock.now(),
  });
  return { id, secret };
};
