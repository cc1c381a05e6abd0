import { z } from 'zod';
import type { State } from '#domain/audit/entry.ts';
import type { DeadLetter } from '#store/queue/types.ts';
import { withoutSecrets } from '#platform/redaction/without-secrets.ts';
import { limit as maxRows, maybeText } from '../flags.ts';
import { found, verb, view } from '../verb.ts';
import type { Noun, OperatorTools } from '../verb.ts';

/** Dead letters in which a text is looked for. */
const searched = 1_000;

const byId = {
  id: { schema: z.uuid('must be the id of a dead letter'), text: 'Id of the dead letter (jobs list).' },
};

/** What a job is about, in short: `feed=metar slot=…`. */
const aboutOf = (payload: unknown): string | null => {
  const shown = withoutSecrets(payload);
  if (typeof shown !== 'object' || shown === null) return null;
  const parts = Object.entries(shown).filter(([, value]) => typeof value !== 'object');
  return parts.map(([name, value]) => `${name}=${String(value)}`).join(' ');
};

const shownOf = ({ id, job, payload, attempts, failedAt, error }: DeadLetter) => ({
  id,
  job,
  about: aboutOf(payload),
  attempts,
  failed: failedAt,
  error,
});

const missing = (id: string) => `There is no dead letter ${id}.`;
const address = /[^\s<>"']+@[^\s<>"']+/g;

/** For the audit: without the payload and addresses, which may refer to people. */
const stateOf = ({ job, error, attempts, failedAt }: DeadLetter): State => ({
  job,
  error: error.replace(address, '[address]'),
  attempts,
  failed_at: failedAt,
  state: 'dead',
});

const changeLetter = async (
  { change, queues: connect }: OperatorTools,
  id: string,
  verbOfQueue: 'retry' | 'discard',
): Promise<void> => {
  const queues = await connect();
  const before = stateOf(found(await queues.deadLetter(id), missing(id)));
  await change(async (tx, trail) => {
    found((await queues[verbOfQueue](tx, id)) || null, missing(id));
    trail.noted('dead letter', id, before, {
      ...before,
      state: verbOfQueue === 'retry' ? 'queued' : 'discarded',
    });
  });
};

export const jobs: Noun = {
  name: 'jobs',
  title: 'Jobs',
  summary: 'Queues: waiting jobs and dead letters.',
  kind: 'dead letter',
  verbs: {
    list: view({
      summary: 'Lists the counts of every queue and the dead letters.',
      flags: { search: maybeText('Part of the job, the error or what it is about.'), limit: maxRows },
      run: async ({ queues }, { search = '', limit = 100 }) => {
        const { counts: countsOf, deadLetters } = await queues();
        const [counts, letters] = [await countsOf(), await deadLetters(search === '' ? limit : searched)];
        const dead = letters
          .filter((letter) => JSON.stringify(shownOf(letter)).toLowerCase().includes(search.toLowerCase()))
          .slice(0, limit);
        const tables = {
          'Dead letters': dead.map(shownOf),
          Queues: counts.map((count) => ({ ...count })),
        };
        return { data: { queues: counts, dead }, tables, whole: 'jobs show ID' };
      },
    }),
    show: view({
      summary: 'Shows a dead letter with its payload and the whole error.',
      flags: byId,
      run: async ({ queues }, { id }) => {
        const letter = found(await (await queues()).deadLetter(id), missing(id));
        const { about: _, ...rest } = shownOf(letter);
        return { data: { job: letter }, record: { ...rest, payload: withoutSecrets(letter.payload) } };
      },
    }),
    retry: verb({
      summary: 'Retries a dead letter.',
      flags: byId,
      isLast: true,
      run: async (tools, { id }) => {
        await changeLetter(tools, id, 'retry');
        return { data: { id, retried: true }, notice: 'The job is in its queue again.' };
      },
    }),
    discard: verb({
      summary: 'Deletes a dead letter for good.',
      isIrreversible: true,
      flags: byId,
      run: async (tools, { id }) => {
        await changeLetter(tools, id, 'discard');
        return { data: { id, discarded: true }, notice: 'The job is deleted.' };
      },
    }),
  },
};
