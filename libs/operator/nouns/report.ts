import { problemReportRepo, problemReportWrites } from '#store/postgres/reports/reports.ts';
import { requestLogRepo } from '#store/postgres/requests/log.ts';
import { flagSwitch, integer, paging, row } from '../flags.ts';
import { found, verb, view } from '../verb.ts';
import type { Noun } from '../verb.ts';

const byId = { id: row('report', integer('Id of the report.')) };

export const report: Noun = {
  name: 'report',
  title: 'Reports',
  summary: 'Problem reports of users, with the request they refer to.',
  kind: 'report',
  verbs: {
    list: view({
      summary: 'Lists open reports, newest first.',
      flags: { closed: flagSwitch('Includes closed reports.'), ...paging },
      run: async ({ postgres: { db } }, { closed, limit = 100, offset = 0 }) => {
        const reports = await problemReportRepo(db).list(closed, limit, offset);
        return { data: { reports }, whole: 'report show ID' };
      },
    }),
    show: view({
      summary: 'Shows a report and the redacted request.',
      flags: byId,
      run: async ({ postgres: { db } }, { id }) => {
        const shown = found(await problemReportRepo(db).byId(id), `There is no report ${id}.`);
        const request = await requestLogRepo(db).byId(shown.logId);
        return { data: { report: shown, request }, record: { ...shown, ...request, id } };
      },
    }),
    close: verb({
      summary: 'Closes a report; its log entry may then be deleted when it expires.',
      flags: byId,
      run: async (tools, { id }) => {
        await tools.change(async (tx) =>
          found(await problemReportWrites(tx).close(id, tools.clock.now()), `There is no open report ${id}.`),
        );
        return { data: { id, closed: true } };
      },
    }),
  },
};
