import { z } from 'zod';
import { discardDeadLetter, retryDeadLetter } from '#commands/jobs/dead-letters.ts';
import { operatorVerb } from './verb.ts';

export const deadLetterId = {
  id: { schema: z.uuid('must be the id of a dead letter'), text: 'Id of the dead letter (jobs list).' },
};

export const retryJobVerb = operatorVerb({
  summary: 'Retries a dead letter.',
  flags: deadLetterId,
  run: async (tools, { id }) => {
    const queues = await tools.queues();
    await tools.change((tx, trail) => retryDeadLetter(tx, { queues, trail }, { id }));
    return { data: { id, retried: true }, notice: 'The job is in its queue again.' };
  },
});

export const discardJobVerb = operatorVerb({
  summary: 'Deletes a dead letter for good.',
  isIrreversible: true,
  flags: deadLetterId,
  run: async (tools, { id }) => {
    const queues = await tools.queues();
    await tools.change((tx, trail) => discardDeadLetter(tx, { queues, trail }, { id }));
    return { data: { id, discarded: true }, notice: 'The job is deleted.' };
  },
});
