import { checklistRepo, checklistWrites } from '#data/postgres/checklists/checklists.ts';
import { checklistReportRepo } from '#data/postgres/checklists/reports.ts';
import { OpsError, verb } from '../command.ts';
import type { Noun } from '../command.ts';
import { checklistById, dismissChecklistReportVerb, unshareChecklistVerb } from '#operator/checklists.ts';
import { flagSwitch, maybeInteger } from '#operator/flags.ts';

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
      flags: checklistById,
      run: async ({ postgres: { db } }, { id }) => {
        const found = await checklistRepo(db).byId(id);
        if (!found) throw notFound(id);
        return { data: { checklist: found } };
      },
    }),
    reports: verb({
      summary: 'Lists open reports of users about checklists of the community, newest first.',
      flags: { closed: flagSwitch('Includes closed reports.') },
      run: async ({ postgres: { db } }, { closed }) => {
        const reports = await checklistReportRepo(db).list(closed);
        return { data: { reports }, table: reports.map((row) => ({ ...row })), whole: 'checklist show ID' };
      },
    }),
    dismiss: dismissChecklistReportVerb,
    unshare: unshareChecklistVerb,
    delete: verb({
      summary: 'Deletes a checklist with its ratings, for good.',
      isIrreversible: true,
      flags: checklistById,
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
