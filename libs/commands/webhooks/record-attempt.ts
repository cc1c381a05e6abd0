import { queueMail } from '#commands/mail/queue-mail.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import { addSeconds } from '#domain/time.ts';
import type { Clock } from '#domain/time.ts';
import { endpointDisabledMail } from '#domain/webhooks/disabled-mail.ts';
import { isGone, nextAttemptAt } from '#domain/webhooks/retries.ts';
import { applicationRepo } from '#store/postgres/developer-keys/applications.ts';
import { webhookDeliveryWrites } from '#store/postgres/webhooks/deliveries.ts';
import type { DueDelivery } from '#store/postgres/webhooks/deliveries.ts';
import { webhookEndpointRepo, webhookEndpointWrites } from '#store/postgres/webhooks/endpoints.ts';
import type { Tx } from '#store/postgres/sql.ts';
import type { Config } from '#platform/config/config.ts';

/** An endpoint that has accepted nothing for so long gets nothing more. */
const givenUpAfterSeconds = 3 * 86_400;

export interface Outcome {
  /** Null: there was no answer. */
  status: number | null;
  /** Null: the receiver has the message. */
  error: string | null;
  retryAfterSeconds: number | null;
}

interface Deps {
  clock: Clock;
  jobs: JobProducer<Tx>;
  config: Pick<Config, 'OPERATOR_EMAIL'>;
}

/**
 * Notes the outcome of an attempt: the message is delivered, sent again later or given up. An endpoint that answers 410, or
 * has failed for days, is disabled with a mail to whoever looks after it.
 */
export const recordAttempt = async (
  tx: Tx,
  { clock, jobs, config }: Deps,
  { delivery, outcome, chance }: { delivery: DueDelivery; outcome: Outcome; chance: number },
): Promise<void> => {
  const now = clock.now();
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
  const isOver = (status !== null && isGone(status)) || failingSince <= addSeconds(now, -givenUpAfterSeconds);
  if (!endpoint || !isOver || (await endpoints.disable(endpointId, now)) === 0) return;
  const mail = endpointDisabledMail({ ...endpoint, failingSince, reason: error });
  const key = `endpoint-disabled:${endpointId}:${now.getTime()}`;
  const to = (await applicationRepo(tx).ownerEmail(endpoint.developerKeyId)) ?? config.OPERATOR_EMAIL;
  await queueMail(tx, { jobs }, { ...mail, key, to, createdAt: now });
};
