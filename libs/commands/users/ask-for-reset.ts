import { passwordReset } from '#domain/jobs/password-reset.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import type { Clock } from '#domain/time.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { passwordResetWrites } from '#store/postgres/users/password-resets.ts';

/** Whether there is an account or not, it takes the same time: the job looks it up. */
export const askForReset = async (
  tx: Tx,
  { jobs, clock }: { jobs: JobProducer<Tx>; clock: Clock },
  asked: { email: string; returnUrl: string | null; application: string | null },
): Promise<void> => {
  const requestId = await passwordResetWrites(tx).addRequest({ ...asked, requestedAt: clock.now() });
  await jobs.enqueue(tx, passwordReset, { requestId });
};
