import { closeReport } from '#commands/feedback/close-report.ts';
import { integer } from './flags.ts';
import { operatorVerb } from './verb.ts';

export const closeReportVerb = operatorVerb({
  summary: 'Closes a report; its log entry may then be deleted when it expires.',
  flags: { id: integer('Id of the report.') },
  run: async ({ change, clock }, { id }) => {
    await change((tx, trail) => closeReport(tx, { clock, trail }, { id }));
    return { data: { id, closed: true }, notice: `Report ${id} is closed.` };
  },
});
