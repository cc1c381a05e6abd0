import { z } from 'zod';
import { discardDeadLetter, retryDeadLetter } from '#commands/jobs/dead-letters.ts';
import type { DeadLetter } from '#data/queue/types.ts';
import { OpsError, verb } from '../command.ts';
import type { Noun } from '../command.ts';
import { maybeInteger } from '../flags.ts';

const byId = {
  id: { schema: z.uuid('must be the id of a dead letter'), text: 'Id of the dead letter (jobs list).' },
};
/** What a job is about, in short: `feed=metar slot=…`. */
const aboutOf = (payload: unknown): string | null => {
  if (typeof payload !== 'object' || payload === null) return null;
  const parts = Object.entries(payload).filter(([, value]) => typeof value !== 'object');
  return parts.map(([name, value]) => `${name}=${String(value)}`).join(' ');
};

const shown = ({ id, job, payload, attempts, failedAt, error }: DeadLetter) => ({
  id,
  job,
  about: aboutOf(payload),
  attempts,
  failed: failedAt,
  error,
});

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
        const tables = {
          Queues: counts.map((count) => ({ ...count })),
          'Dead letters': dead.map(shown),
        };
        return { data: { queues: counts, dead }, tables, whole: 'jobs show ID' };
      },
    }),
    show: verb({
      summary: 'Shows a dead letter with its payload and the whole error.',
      flags: byId,
      run: async (ops, { id }) => {
        const letter = await (await ops.queues()).deadLetter(id);
        if (!letter) throw new OpsError('NOT_FOUND', `There is no dead letter ${id}.`);
        const { about: _, ...rest } = shown(letter);
        return { data: { job: letter }, record: { ...rest, payload: letter.payload } };
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
      isForGood: true,
      flags: byId,
      run: async (ops, { id }) => {
        const queues = await ops.queues();
        await ops.change((tx, trail) => discardDeadLetter(tx, { queues, trail }, { id }));
        return { data: { id, discarded: true } };
      },
    }),
  },
};
