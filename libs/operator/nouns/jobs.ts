import { z } from 'zod';
import type { State } from '#domain/audit/entry.ts';
import type { DeadLetter } from '#store/queue/types.ts';
import { redact } from '#platform/redaction/redact.ts';
import { limit as maxRows, maybeText } from '../flags.ts';
import { change, found, view } from '../verb.ts';
import type { Change, Noun } from '../verb.ts';

/** Number of dead letters searched for a text. */
const searched = 1_000;

const byId = {
  id: { schema: z.uuid('must be the id of a dead letter'), text: 'Id of the dead letter (jobs list).' },
};

/** A short summary of a job's payload: `feed=metar slot=…`. */
const aboutOf = (payload: unknown): string | null => {
  const shown = redact(payload);
  if (typeof shown !== 'object' || shown === null) return null;
  const parts = Object.entries(shown).filter(([, value]) => typeof value !== 'object');
  return parts.map(([name, value]) => `${name}=${String(value)}`).join(' ');
};

const missing = (id: string) => `There is no dead letter ${id}.`;
const address = /[^\s<>"']+@[^\s<>"']+/g;

/** State for the audit, without payload and addresses, which may identify people. */
const stateOf = ({ job, error, attempts, failedAt }: DeadLetter): State => ({
  job,
  error: error.replace(address, '[address]'),
  attempts,
  failed_at: failedAt,
  state: 'dead',
});

const ending = (
  path: 'retry' | 'discard',
  { state, notice, ...about }: { state: string; notice: string; summary: string } & Partial<Change>,
) =>
  change({
    ...about,
    flags: byId,
    run: async ({ tx, trail, queues: connect }, { id }) => {
      const queues = await connect();
      const before = stateOf(found(await queues.deadLetter(id), missing(id)));
      found(Number(await queues[path](tx, id)), missing(id));
      trail.noted('dead letter', id, before, { ...before, state });
      return notice;
    },
  });

export const jobs: Noun = {
  name: 'jobs',
  title: 'Jobs',
  summary: 'Queues: waiting jobs and dead letters.',
  kind: 'dead letter',
  verbs: {
    list: view({
      summary: 'Lists the counts of every queue and the dead letters.',
      flags: { search: maybeText('Part of the job, the error or what it is about.'), limit: maxRows },
      run: async ({ queues }, { search = '', limit }) => {
        const { counts, deadLetters } = await queues();
        const letters = await deadLetters(search === '' ? limit : searched);
        const dead = letters
          .map(({ payload, ...letter }) => ({ ...letter, about: aboutOf(payload) }))
          .filter((letter) => JSON.stringify(letter).toLowerCase().includes(search.toLowerCase()))
          .slice(0, limit);
        return {
          data: { dead, queues: await counts() },
          columns: { dead: 'id job about attempts failedAt error' },
        };
      },
    }),
    show: view({
      summary: 'Shows a dead letter with its payload and the whole error.',
      flags: byId,
      run: async ({ queues }, { id }) => {
        const letter = found(await (await queues()).deadLetter(id), missing(id));
        return { data: { job: { ...letter, payload: redact(letter.payload) } } };
      },
    }),
    retry: ending('retry', {
      summary: 'Retries a dead letter.',
      isLast: true,
      state: 'queued',
      notice: 'The job is in its queue again.',
    }),
    discard: ending('discard', {
      summary: 'Deletes a dead letter for good.',
      isIrreversible: true,
      state: 'discarded',
      notice: 'The job is deleted.',
    }),
  },
};
