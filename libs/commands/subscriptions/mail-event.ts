import type { JobProducer } from '#domain/jobs/port.ts';
import { subscriptionMail } from '#domain/subscriptions/mails.ts';
import type { SubscriptionEvent } from '#domain/subscriptions/mails.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import type { Clock } from '#domain/time.ts';
import type { Tx } from '#data/postgres/sql.ts';
import { queueMail } from '#commands/mail/queue-mail.ts';

/** Mails the account what happened to its subscription, once for each `cause`. */
export const mailEvent = async (
  tx: Tx,
  { clock, jobs }: { clock: Clock; jobs: JobProducer<Tx> },
  {
    event,
    subscription,
    cause,
  }: { event: SubscriptionEvent; subscription: SubscriptionRecord; cause: string },
): Promise<void> => {
  const mail = subscriptionMail(event, subscription);
  const key = `subscription-${subscription.id}-${event}-${cause}`;
  await queueMail(tx, { jobs }, { ...mail, key, to: subscription.accountEmail, createdAt: clock.now() });
};
