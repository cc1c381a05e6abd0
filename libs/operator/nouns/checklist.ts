import { z } from 'zod';
import { checklistRepo, checklistWrites } from '#store/postgres/checklists/checklists.ts';
import { checklistReportRepo, checklistReportWrites } from '#store/postgres/checklists/reports.ts';
import { flagSwitch, integer, limit as maxRows, paging, row } from '../flags.ts';
import { found, verb, view } from '../verb.ts';
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
      run: async ({ postgres: { db } }, { community, limit = 100 }) => ({
        data: { checklists: await checklistRepo(db).listed(community, limit) },
      }),
    }),
    show: view({
      summary: 'Shows a checklist with its document.',
      flags: byId,
      run: async ({ postgres: { db } }, { id }) => {
        const shown = found(await checklistRepo(db).byId(id), `There is no checklist ${id}.`);
        const { document, ...record } = shown;
        const pages = document.checklists ?? [];
        return {
          data: { checklist: shown },
          record: { ...record },
          tables: Object.fromEntries(
            pages.map(({ title, items }) => [title, items.map((item) => ({ ...item }))]),
          ),
        };
      },
    }),
    reports: view({
      summary: 'Lists open reports of users about checklists of the community, newest first.',
      flags: { closed: flagSwitch('Includes closed reports.'), ...paging },
      run: async ({ postgres: { db } }, { closed, limit = 100, offset = 0 }) => {
        const reports = await checklistReportRepo(db).list(closed, limit, offset);
        const table = reports.map(({ id, ...rest }) => ({ report: id, ...rest }));
        return {
          data: { reports },
          table,
          whole: 'checklist show ID',
          actionsOf: ({ report, closedAt }) => (closedAt === null ? { dismiss: { id: report } } : {}),
        };
      },
    }),
    dismiss: verb({
      summary: 'Closes a report of a checklist, which stays as it is.',
      isDecision: true,
      flags: { id: row('checklist report', integer('Id of the report (checklist reports).')) },
      run: async (tools, { id }) => {
        await tools.change(async (tx) =>
          found(
            await checklistReportWrites(tx).dismiss(id, tools.clock.now()),
            `There is no open report ${id}.`,
          ),
        );
        return { data: { id, dismissed: true }, notice: `Report ${id} is dismissed.` };
      },
    }),
    unshare: verb({
      summary:
        'Takes a checklist out of the community and closes its reports; its owner keeps it and can share it again.',
      flags: byId,
      run: async (tools, { id }) => {
        const closedReports = await tools.change(async (tx) => {
          found(await checklistWrites(tx).unshare(id), `There is no checklist ${id}.`);
          return checklistReportWrites(tx).closeAll(id, tools.clock.now());
        });
        return { data: { id, shared: false, closedReports } };
      },
    }),
    delete: verb({
      summary: 'Deletes a checklist with its ratings, for good.',
      isIrreversible: true,
      flags: byId,
      run: async (tools, { id }) => {
        await tools.change(async (tx) =>
          found(await checklistWrites(tx).deleteAny(id), `There is no checklist ${id}.`),
        );
        return { data: { id, deleted: true } };
      },
    }),
  },
};
