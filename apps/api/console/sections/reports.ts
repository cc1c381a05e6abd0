/** Problem reports of users, each with the redacted request that it refers to. */
import { z } from 'zod';
import { problemReportRepo } from '#data/postgres/reports/reports.ts';
import type { ProblemReport } from '#data/postgres/reports/reports.ts';
import { requestLogRepo } from '#data/postgres/requests/log.ts';
import { DomainError } from '#domain/errors.ts';
import { closeReportVerb } from '#operator/reports.ts';
import { loggedCall } from '../logged-call.ts';
import { actionOf, consolePage, defineSection } from '../define.ts';
import { html } from '../../pages/html.ts';
import {
  badge,
  button,
  facts,
  idFormSchema,
  listQuery,
  paged,
  pageSize,
  table,
  time,
} from '../../site/parts.ts';

const severityOf = ({ severity }: ProblemReport) =>
  badge(severity === 'HIGH' ? 'down' : severity === 'MEDIUM' ? 'late' : 'off', severity.toLowerCase());

const stateOf = ({ closedAt }: ProblemReport) => (closedAt ? badge('off', 'closed') : badge('seed', 'open'));

const list = consolePage(
  '/reports',
  z.object({ page: listQuery.page, all: z.literal('yes').optional().catch(undefined) }),
  async ({ db }, { page, all }) => {
    const found = await problemReportRepo(db).list(all === 'yes', pageSize + 1, (page - 1) * pageSize);
    const { rows, links } = paged(found, page, '/reports', { all });
    return {
      title: 'Reports',
      main: html`<nav class="filters" aria-label="States">
          <ul>
            <li><a href="/console/reports" ${all === undefined && html` aria-current="true"`}>open</a></li>
            <li>
              <a href="/console/reports?all=yes" ${all !== undefined && html` aria-current="true"`}>all</a>
            </li>
          </ul>
        </nav>
        ${table(
          'Reports',
          ['Id', 'Time', 'Severity', 'Account', 'Description', 'State'],
          rows.map((report) => [
            html`<a href="/console/reports/show?id=${report.id}">${report.id}</a>`,
            time(report.createdAt),
            severityOf(report),
            report.email,
            html`<span class="cut">${report.description}</span>`,
            stateOf(report),
          ]),
        )}
        ${links}`,
    };
  },
);

const show = consolePage('/reports/show', idFormSchema, async ({ db, formToken }, { id }) => {
  const report = await problemReportRepo(db).byId(id);
  if (!report) throw new DomainError('NOT_FOUND', {}, `There is no report ${id}.`);
  const request = await requestLogRepo(db).byId(report.logId);
  return {
    title: `Report ${id}`,
    main: html`${facts([
      ['Account', report.email],
      ['Severity', severityOf(report)],
      ['State', stateOf(report)],
      ['Time', time(report.createdAt)],
    ])}
        <h2>Description</h2>
        <pre>${report.description}</pre>
        ${!report.closedAt && html`<div class="actions">${button('Close report', { formToken, action: '/reports/close', fields: { id } })}</div>`}
        <h2>Logged request ${report.logId}</h2>
        ${request ? loggedCall(request) : html`<p class="empty">The log entry has expired.</p>`}`,
  };
});

const close = actionOf(closeReportVerb, { path: '/reports/close', audit: 'report close', to: '/reports' });

export default defineSection({
  name: 'reports',
  label: 'Reports',
  order: 7,
  pages: [list, show],
  actions: [close],
});
