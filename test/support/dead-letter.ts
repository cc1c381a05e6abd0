import { UnrecoverableError } from '#domain/errors.ts';
import { mailSend } from '#domain/jobs/contracts.ts';
import type { TestContext } from '../harness.ts';
import { until } from './until.ts';

/** Ids of failed `mail.send` jobs, one with each of these errors, in this order. */
export const deadLetters = async (
  { postgres, queues, jobs }: TestContext,
  errors: readonly string[],
): Promise<string[]> => {
  const consumer = await queues.createConsumer();
  const run = ({ payload }: { payload: unknown }) => {
    const { mailId } = mailSend.payload.parse(payload);
    return Promise.reject(new UnrecoverableError(errors[mailId - 1] ?? 'unexpected'));
  };
  await consumer.consume('durable', [{ contract: mailSend, run }], errors.length);
  await postgres.transaction(async (tx) => {
    for (const i of errors.keys()) await jobs.enqueue(tx, mailSend, { mailId: i + 1 });
  });
  let ids: string[] = [];
  await until('there is a dead letter with each error', async () => {
    const letters = await queues.deadLetters();
    ids = errors.flatMap((error) => letters.find((letter) => letter.error === error)?.id ?? []);
    return ids.length === errors.length;
  });
  await consumer.stop(1_000);
  return ids;
};
