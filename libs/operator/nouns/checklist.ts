import { z } from 'zod';
import { checklistRepo, checklistWrites } from '#store/postgres/checklists/checklists.ts';
import { checklistReportRepo, checklistReportWrites } from '#store/postgres/checklists/reports.ts';
import { flagSwitch, integer, limit as maxRows, paging, row } from '../flags.ts';
import { change, found, view } from '../verb.ts';
import type { Noun } from '../verb.ts';

const byId = {
  id: row('checklist', { schema: z.uuid('must be the id of a checklist'), text: 'Id of the checklist.' }),
};

export const checklist: Noun = {
  name: 'checklist',
  title: 'Checklists',
  summary: 'Checklists of users and airlines, for what does not belong in the community.',
  kind: 'checklist',
  verbs: {
    list: view({
      summary: 'Lists checklists, the last changed first.',
      flags: { community: flagSwitch('Only those that are shared.'), limit: maxRows },
      run: async ({ db }, { community, limit }) => ({
        data: { checklists: await checklistRepo(db).listed(community, limit) },
      }),
    }),
    show: view({
      summary: 'Shows a checklist with its document.',
      flags: byId,
      run: async ({ db }, { id }) => {
        const shown = found(await checklistRepo(db).byId(id), `There is no checklist ${id}.`);
        const { document, ...record } = shown;
        const items = (document.checklists ?? []).flatMap((page) =>
          page.items.map((item) => ({ page: page.title, ...item })),
        );
        return { data: { checklist: shown, items }, columns: { checklist: Object.keys(record).join(' ') } };
      },
    }),
    reports: view({
      summary: 'Lists open reports of users about checklists of the community, newest first.',
      flags: { closed: flagSwitch('Includes closed reports.'), ...paging },
      run: async ({ db }, { closed, limit, offset }) => ({
        data: { reports: await checklistReportRepo(db).list(closed, limit, offset) },
        offers: ({ closedAt }) => (closedAt === null ? ['dismiss'] : []),
      }),
    }),
    dismiss: change({
      summary: 'Closes a report of a checklist, which stays as it is.',
      isDecision: true,
      flags: { id: row('checklist report', integer('Id of the report (checklist reports).')) },
      run: ({ tx, now }, { id }) => checklistReportWrites(tx).dismiss(id, now),
    }),
    unshare: change({
      summary:
        'Takes a checklist out of the community and closes its reports; its owner keeps it and can share it again.',
      flags: byId,
      run: async ({ tx, now }, { id }) => {
        found(await checklistWrites(tx).unshare(id), `There is no checklist ${id}.`);
        return { data: { id, closedReports: await checklistReportWrites(tx).closeAll(id, now) } };
      },
    }),
    delete: change({
      summary: 'Deletes a checklist with its ratings, for good.',
      isIrreversible: true,
      flags: byId,
      run: ({ tx }, { id }) => checklistWrites(tx).deleteAny(id),
    }),
  },
};
