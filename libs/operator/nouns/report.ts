import { problemReportRepo, problemReportWrites } from '#store/postgres/reports/reports.ts';
import { requestLogRepo } from '#store/postgres/requests/log.ts';
import { flagSwitch, integer, paging, row } from '../flags.ts';
import { change, found, view } from '../verb.ts';
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
      run: async ({ db }, { closed, limit, offset }) => ({
        data: { reports: await problemReportRepo(db).list(closed, limit, offset) },
      }),
    }),
    show: view({
      summary: 'Shows a report and the redacted request.',
      flags: byId,
      run: async ({ db }, { id }) => {
        const shown = found(await problemReportRepo(db).byId(id), `There is no report ${id}.`);
        return { data: { report: shown, request: await requestLogRepo(db).byId(shown.logId) } };
      },
    }),
    close: change({
      summary: 'Closes a report; its log entry may then be deleted when it expires.',
      flags: byId,
      run: ({ tx, now }, { id }) => problemReportWrites(tx).close(id, now),
    }),
  },
};

export const call = {
  name: 'call',
  title: 'Calls',
  summary: 'Calls as the log keeps them.',
  verbs: {
    show: view({
      summary: 'Shows a call, without secrets.',
      flags: { id: integer('Log id, which answers have in X-SVC-Log-Id.', 1, Number.MAX_SAFE_INTEGER) },
      run: async ({ db }, { id }) => ({
        data: { call: found(await requestLogRepo(db).byId(id), `No call ${id} is kept.`) },
      }),
    }),
  },
} satisfies Noun;
