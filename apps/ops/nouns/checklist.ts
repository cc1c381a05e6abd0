import { z } from 'zod';
import { checklistRepo, checklistWrites } from '#data/postgres/checklists/checklists.ts';
import { OpsError, verb } from '../command.ts';
import type { Noun } from '../command.ts';
import { flagSwitch, maybeInteger } from '#operator/flags.ts';

const byId = { id: { schema: z.uuid('must be the id of a checklist'), text: 'Id of the checklist.' } };

const notFound = (id: string) => new OpsError('NOT_FOUND', `There is no checklist ${id}.`);

export const checklist: Noun = {
  name: 'checklist',
  summary: 'Checklists of users and airlines, for what does not belong in the community.',
  verbs: {
    list: verb({
      summary: 'Lists checklists, the last changed first.',
      flags: {
        community: flagSwitch('Only those that are shared.'),
        limit: maybeInteger('Maximum number of rows; default 100.'),
      },
      run: async ({ postgres: { db } }, { community, limit = 100 }) => {
        const checklists = await checklistRepo(db).listed(community, limit);
        return { data: { checklists }, table: checklists.map((row) => ({ ...row })) };
      },
    }),
    show: verb({
      summary: 'Shows a checklist with its document.',
      flags: byId,
      run: async ({ postgres: { db } }, { id }) => {
        const found = await checklistRepo(db).byId(id);
        if (!found) throw notFound(id);
        return { data: { checklist: found } };
      },
    }),
    unshare: verb({
      summary: 'Takes a checklist out of the community; its owner keeps it and can share it again.',
      flags: byId,
      run: async ({ change }, { id }) => {
        await change(async (tx, trail) => {
          await trail.changing('checklist', id);
          if ((await checklistWrites(tx).unshare(id)) === 0) throw notFound(id);
        });
        return { data: { id, shared: false } };
      },
    }),
    delete: verb({
      summary: 'Deletes a checklist with its ratings, for good.',
      isForGood: true,
      flags: byId,
      run: async ({ change }, { id }) => {
        await change(async (tx, trail) => {
          await trail.changing('checklist', id);
          if ((await checklistWrites(tx).deleteAny(id)) === 0) throw notFound(id);
        });
        return { data: { id, deleted: true } };
      },
    }),
  },
};
