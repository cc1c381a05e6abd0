import type { Trail } from '#commands/audit/audited.ts';
import { DomainError } from '#domain/errors.ts';
import type { State } from '#domain/audit/entry.ts';
import type { Tx } from '#store/postgres/sql.ts';
import type { DeadLetter, Queues } from '#store/queue/queues.ts';

interface Dependencies {
  queues: Pick<Queues, 'deadLetter' | 'retry' | 'discard'>;
  trail: Trail;
}

const noDeadLetter = (id: string) => new DomainError('NOT_FOUND', {}, `There is no dead letter ${id}.`);

const address = /[^\s<>"']+@[^\s<>"']+/g;

/** Without the payload and addresses, which may refer to people. */
const stateOf = ({ job, error, attempts, failedAt }: DeadLetter): State => ({
  job,
  error: error.replace(address, '[address]'),
  attempts,
  failed_at: failedAt,
  state: 'dead',
});

const changing =
  (verb: 'retry' | 'discard', outcome: 'queued' | 'discarded') =>
  async (tx: Tx, { queues, trail }: Dependencies, { id }: { id: string }): Promise<void> => {
    const letter = await queues.deadLetter(id);
    if (!letter || !(await queues[verb](tx, id))) throw noDeadLetter(id);
    const before = stateOf(letter);
    trail.noted('dead letter', id, before, { ...before, state: outcome });
  };

/** Puts a job that failed for good back into its queue. Throws NOT_FOUND. */
export const retryDeadLetter = changing('retry', 'queued');

/** Deletes a job that failed for good. Throws NOT_FOUND. */
export const discardDeadLetter = changing('discard', 'discarded');
