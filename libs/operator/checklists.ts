import { z } from 'zod';
import { dismissReport } from '#commands/checklists/dismiss-report.ts';
import { unshareChecklist } from '#commands/checklists/unshare.ts';
import { integer, maybeInteger } from './flags.ts';
import { operatorVerb } from './verb.ts';

export const checklistById = {
  id: { schema: z.uuid('must be the id of a checklist'), text: 'Id of the checklist.' },
};

export const unshareChecklistVerb = operatorVerb({
  summary:
    'Takes a checklist out of the community and closes its reports; its owner keeps it and can share it again.',
  flags: checklistById,
  run: async ({ change, clock }, { id }) => {
    const closedReports = await change((tx, trail) => unshareChecklist(tx, { clock, trail }, { id }));
    return {
      data: { id, shared: false, closedReports },
      notice: `Checklist ${id} is no longer shared.`,
    };
  },
});

export const dismissChecklistReportVerb = operatorVerb({
  summary: 'Closes a report of a checklist, which stays as it is.',
  flags: {
    id: integer('Id of the report (checklist reports).'),
    revision: maybeInteger('Revision of the checklist that was looked at; another one is not dismissed.'),
  },
  run: async ({ change, clock }, { id, revision }) => {
    await change((tx, trail) => dismissReport(tx, { clock, trail }, { id, revision }));
    return { data: { id, dismissed: true }, notice: `Report ${id} is dismissed.` };
  },
});
