import { z } from 'zod';
import { discardDeadLetter, retryDeadLetter } from '#commands/jobs/dead-letters.ts';
import { verb } from '../command.ts';
import type { Noun } from '../command.ts';
import { maybeInteger } from '../flags.ts';

const byId = {
  id: { schema: z.uuid('must be the id of a dead letter'), text: 'Id of the dead letter (jobs list).' },
};

export const jobs: Noun = {
  name: 'jobs',
  summary: 'Queues: waiting jobs and dead letters.',
  verbs: {
    list: verb({
      summary: 'Lists the counts of every queue and the dead letters.',
      flags: { limit: maybeInteger('Maximum number of dead letters; default 100.') },
      run: async (ops, { limit = 100 }) => {
        const queues = await ops.queues();
        const [counts, dead] = [await queues.counts(), await queues.deadLetters(limit)];
        const table = [
          ...counts.map((count) => ({ ...count, id: null, error: null, failedAt: null })),
          ...dead.map(({ job, id, error, failedAt }) => ({
            job,
            store: null,
            waiting: null,
            delayed: null,
            active: null,
            dead: 1,
            id,
            error,
            failedAt,
          })),
        ];
        return { data: { queues: counts, dead }, table };
      },
    }),
    retry: verb({
      summary: 'Retries a dead letter.',
      flags: byId,
      run: async (ops, { id }) => {
        const queues = await ops.queues();
        await ops.change((tx, trail) => retryDeadLetter(tx, { queues, trail }, { id }));
        return { data: { id, retried: true } };
      },
    }),
    discard: verb({
      summary: 'Deletes a dead letter for good.',
      flags: byId,
      run: async (ops, { id }) => {
        const queues = await ops.queues();
        await ops.change((tx, trail) => discardDeadLetter(tx, { queues, trail }, { id }));
        return { data: { id, discarded: true } };
      },
    }),
  },
};
