/** Checklists of the community that users have reported: look, take out of the community, or dismiss. */
import { z } from 'zod';
import { checklistRepo } from '#data/postgres/checklists/checklists.ts';
import { checklistReportRepo } from '#data/postgres/checklists/reports.ts';
import type { ChecklistReport } from '#data/postgres/checklists/reports.ts';
import { DomainError } from '#domain/errors.ts';
import { dismissChecklistReportVerb, unshareChecklistVerb } from '#operator/checklists.ts';
import { actionOf, consolePage, defineSection } from '../define.ts';
import { html } from '../../pages/html.ts';
import {
  badge,
  button,
  confirmed,
  facts,
  idFormSchema,
  listQuery,
  orDash,
  paged,
  pageSize,
  table,
  time,
  yesNo,
} from '../../site/parts.ts';

const stateOf = ({ outcome }: ChecklistReport) =>
  outcome === null ? badge('seed', 'open') : badge('off', outcome);

const reasonOf = ({ reason }: ChecklistReport) => reason.toLowerCase().replace('_', ' ');

const list = consolePage(
  '/checklists',
  z.object({ page: listQuery.page, all: z.literal('yes').optional().catch(undefined) }),
  async ({ db }, { page, all }) => {
    const found = await checklistReportRepo(db).list(all === 'yes', pageSize + 1, (page - 1) * pageSize);
    const { rows, links } = paged(found, page, '/checklists', { all });
    return {
      title: 'Reported checklists',
      main: html`<nav class="filters" aria-label="States">
          <ul>
            <li><a href="/console/checklists" ${all === undefined && html` aria-current="true"`}>open</a></li>
            <li>
              <a href="/console/checklists?all=yes" ${all !== undefined && html` aria-current="true"`}>all</a>
            </li>
          </ul>
        </nav>
        ${table(
          'Reported checklists',
          ['Id', 'Time', 'Checklist', 'Owner', 'Reason', 'Description', 'State'],
          rows.map((report) => [
            html`<a href="/console/checklists/show?id=${report.id}">${report.id}</a>`,
            time(report.createdAt),
            report.name,
            report.owner,
            reasonOf(report),
            html`<span class="cut">${orDash(report.description)}</span>`,
            stateOf(report),
          ]),
        )}
        ${links}`,
    };
  },
);

const show = consolePage('/checklists/show', idFormSchema, async ({ db, formToken }, { id }) => {
  const report = await checklistReportRepo(db).byId(id);
  const checklist = report && (await checklistRepo(db).byId(report.checklistId));
  if (!checklist) throw new DomainError('NOT_FOUND', {}, `There is no report ${id} of a checklist.`);
  const options = { formToken, about: report.name };
  return {
    title: `Report ${id} of a checklist`,
    main: html`${facts([
      ['State', stateOf(report)],
      ['Reason', reasonOf(report)],
      ['Reported by', report.reporter],
      ['Time', time(report.createdAt)],
      ['Checklist', `${report.name}, version ${checklist.version}`],
      ['Owner', report.owner],
      ['Shared', yesNo(report.shared)],
      ['Changed since the report', yesNo(report.changedSince)],
    ])}
        <h2>Description</h2>
        <pre>${orDash(report.description)}</pre>
        ${
          report.closedAt === null &&
          html`<div class="actions">${confirmed(
            'Take out of the community',
            'Its owner keeps it and can share it again. All reports of it are closed.',
            { ...options, action: '/checklists/unshare', fields: { id: report.checklistId } },
          )}${button('Dismiss report', { ...options, action: '/checklists/dismiss', fields: { id, revision: checklist.revision }, isPlain: true })}</div>`
        }
        <h2>The checklist</h2>
        <p>${orDash(checklist.description)}</p>
        ${checklist.document.checklists.map(
          (page) =>
            html`<details class="log">
              <summary>${page.title}</summary>
              ${table(
                page.title,
                ['Challenge', 'Response', 'Note'],
                page.items.map((item) => [item.challenge, item.response, orDash(item.note)]),
              )}
            </details>`,
        )}`,
  };
});

const unshare = actionOf(unshareChecklistVerb, {
  path: '/checklists/unshare',
  audit: 'checklist unshare',
  to: '/checklists',
});
const dismiss = actionOf(dismissChecklistReportVerb, {
  path: '/checklists/dismiss',
  audit: 'checklist dismiss',
  to: '/checklists',
});

export default defineSection({
  name: 'checklists',
  label: 'Checklists',
  order: 8,
  pages: [list, show],
  actions: [dismiss, unshare],
});
