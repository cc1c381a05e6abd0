import { UnrecoverableError } from '#domain/errors.ts';
import { mailSend } from '#domain/jobs/mail-send.ts';
import type { TestContext } from '../harness.ts';
import { until } from './until.ts';

/** The id of a job of `mail.send` that a worker gave up with this error. */
export const deadLetter = async ({ postgres, queues, jobs }: TestContext, error: string): Promise<string> => {
  const known = new Set((await queues.deadLetters()).map(({ id }) => id));
  const consumer = await queues.consumer();
  await consumer.consume(
    'durable',
    [{ contract: mailSend, run: () => Promise.reject(new UnrecoverableError(error)) }],
    1,
  );
  await postgres.transaction((tx) => jobs.enqueue(tx, mailSend, { mailId: known.size + 1 }));
  let found: string | undefined;
  await until('there is a dead letter', async () => {
    found = (await queues.deadLetters()).find(({ id }) => !known.has(id))?.id;
    return found;
  });
  await consumer.stop(1_000);
  return found ?? '';
};
