import type { DeadLetter } from '#data/queue/types.ts';
import { deadLetterId, discardJobVerb, retryJobVerb } from '#operator/jobs.ts';
import { OpsError, verb } from '../command.ts';
import type { Noun } from '../command.ts';
import { maybeInteger } from '#operator/flags.ts';

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
      flags: deadLetterId,
      run: async (ops, { id }) => {
        const letter = await (await ops.queues()).deadLetter(id);
        if (!letter) throw new OpsError('NOT_FOUND', `There is no dead letter ${id}.`);
        const { about: _, ...rest } = shown(letter);
        return { data: { job: letter }, record: { ...rest, payload: letter.payload } };
      },
    }),
    retry: retryJobVerb,
    discard: discardJobVerb,
  },
};
