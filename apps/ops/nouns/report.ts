import { problemReportRepo } from '#data/postgres/reports/reports.ts';
import { requestLogRepo } from '#data/postgres/requests/log.ts';
import { closeReportVerb } from '#operator/reports.ts';
import { OpsError, verb } from '../command.ts';
import type { Noun } from '../command.ts';
import { flagSwitch, integer } from '#operator/flags.ts';

const byId = { id: integer('Id of the report.') };

export const report: Noun = {
  name: 'report',
  summary: 'Problem reports of users, with the request they refer to.',
  verbs: {
    list: verb({
      summary: 'Lists open reports, newest first.',
      flags: { closed: flagSwitch('Includes closed reports.') },
      run: async ({ postgres: { db } }, { closed }) => {
        const reports = await problemReportRepo(db).list(closed);
        return { data: { reports }, table: reports.map((row) => ({ ...row })), whole: 'report show ID' };
      },
    }),
    show: verb({
      summary: 'Shows a report and the redacted request.',
      flags: byId,
      run: async ({ postgres: { db } }, { id }) => {
        const found = await problemReportRepo(db).byId(id);
        if (!found) throw new OpsError('NOT_FOUND', `There is no report ${id}.`);
        const request = await requestLogRepo(db).byId(found.logId);
        return { data: { report: found, request }, record: { ...found, ...request, id } };
      },
    }),
    close: closeReportVerb,
  },
};
