/** Application webhooks. */
import type { Deps } from '#commands/deps.ts';
import { DomainError } from '#domain/errors.ts';
import { addSeconds } from '#domain/time.ts';
import { endpointDisabledMail, endpointUrlProblem } from '#domain/webhooks/endpoint.ts';
import { messageOf, webhookEvents } from '#domain/webhooks/events.ts';
import type { EventData, WebhookEvent } from '#domain/webhooks/events.ts';
import { nextAttemptAt } from '#domain/webhooks/retries.ts';
import { mayBePublic } from '#platform/public-address.ts';
import { newWebhookSecret, seal } from '#store/auth/secrets.ts';
import { applicationRepo } from '#store/postgres/developer-keys/developer-keys.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { webhookDeliveryWrites } from '#store/postgres/webhooks/deliveries.ts';
import type { DueDelivery } from '#store/postgres/webhooks/deliveries.ts';
import { webhookEndpointRepo, webhookEndpointWrites } from '#store/postgres/webhooks/endpoints.ts';
import { queueMail } from './mail.ts';

type Published = {
  [E in WebhookEvent]: {
    event: E;
    data: EventData<E>;
    /** When the reported change takes effect; absent: now. */
    at?: Date;
  };
}[WebhookEvent];

/** Queues a message for every subscribed endpoint, in the transaction of the reported change. */
export const publishEvent = async (
  tx: Tx,
  { clock }: Deps<'clock'>,
  { event, data, at }: Published,
): Promise<void> => {
  const now = clock.now();
  const happensAt = at && at > now ? at : now;
  await webhookDeliveryWrites(tx).publish({
    event,
    body: messageOf(event, happensAt, data),
    userId: webhookEvents[event].audience === 'user' && 'userId' in data ? data.userId : null,
    createdAt: now,
    nextAt: happensAt,
  });
};

/** An endpoint that has accepted nothing for this long is disabled. */
const givenUpAfterSeconds = 3 * 86_400;

interface Outcome {
  /** Null: no answer. */
  status: number | null;
  /** Null: delivered. */
  error: string | null;
  retryAfterSeconds: number | null;
}

/**
 * Records the outcome of an attempt: delivered, to be retried or given up. An endpoint that answers 410, or has failed
 * for days, is disabled, with a mail to its contact.
 */
export const recordAttempt = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs' | 'config'>,
  { delivery, outcome, chance }: { delivery: DueDelivery; outcome: Outcome; chance: number },
): Promise<void> => {
  const now = deps.clock.now();
  const { id, endpointId } = delivery;
  const { status, error, retryAfterSeconds } = outcome;
  const endpoints = webhookEndpointWrites(tx);
  const attempts = delivery.attempts + 1;
  const nextAt = error === null ? null : nextAttemptAt({ attempts, now, retryAfterSeconds, chance });
  await webhookDeliveryWrites(tx).noteAttempt(id, { at: now, status, error, nextAt });
  if (error === null) {
    await endpoints.noteSuccess(endpointId);
    return;
  }
  await endpoints.noteFailure(endpointId, now);
  const endpoint = await webhookEndpointRepo(tx).byId(endpointId);
  const failingSince = endpoint?.failingSince ?? now;
  const isOver = status === 410 || failingSince <= addSeconds(now, -givenUpAfterSeconds);
  if (!endpoint || !isOver || (await endpoints.disable(endpointId, now)) === 0) return;
  const mail = endpointDisabledMail({ ...endpoint, failingSince, reason: error });
  const key = `endpoint-disabled:${endpointId}:${now.getTime()}`;
  const to = (await applicationRepo(tx).ownerEmail(endpoint.developerKeyId)) ?? deps.config.OPERATOR_EMAIL;
  await queueMail(tx, deps, { ...mail, key, to, createdAt: now });
};

const maxEndpoints = 10;

/**
 * Adds an endpoint to an application; only this answer contains its secret. Throws NOT_FOUND, INVALID_ENDPOINT with the
 * reason, or ENDPOINT_LIMIT_REACHED.
 */
export const addEndpoint = async (
  tx: Tx,
  { clock, config }: Deps<'clock' | 'config'>,
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
    secretSealed: seal(secret, 'webhook seal', keys),
    createdAt: clock.now(),
  });
  return { id, secret };
};

/** How long the previous secret signs, too. */
const overlapSeconds = 86_400;

/** Issues a new secret for an endpoint, shown once. Throws NOT_FOUND. */
export const rotateSecret = async (
  tx: Tx,
  { clock, config }: Deps<'clock' | 'config'>,
  { id }: { id: number },
): Promise<{ secret: string; previousUntil: Date }> => {
  const secret = newWebhookSecret();
  const previousUntil = addSeconds(clock.now(), overlapSeconds);
  const sealed = seal(secret, 'webhook seal', config.ENCRYPTION_KEYS);
  if ((await webhookEndpointWrites(tx).rotate(id, sealed, previousUntil)) === 0)
    throw new DomainError('NOT_FOUND', {}, `There is no endpoint ${id}.`);
  return { secret, previousUntil };
};
