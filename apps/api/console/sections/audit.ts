/** What operators changed: who, what, before and after. */
import { z } from 'zod';
import { auditRepo } from '#data/postgres/audit/log.ts';
import { differences, subjectKinds } from '#domain/audit/entry.ts';
import type { AuditEntry } from '#domain/audit/entry.ts';
import { consolePage, defineSection } from '../define.ts';
import { html } from '../../pages/html.ts';
import { listQuery, orDash, paged, pageSize, select, table, time } from '../../site/parts.ts';

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const changesOf = (entry: AuditEntry) => {
  const state = entry.before === null ? 'Created' : entry.after === null ? 'Deleted' : 'Changed';
  const changed = differences(entry);
  const isWhole = entry.before === null || entry.after === null;
  if (changed.length === 0) return html`<span class="quiet">no field changed</span>`;
  return html`<details class="changes" ${!isWhole && html` open`}>
    <summary>${state}</summary>
    <dl>
      ${changed.map(
        ({ field, before, after }) =>
          html`<div>
            <dt>${field}</dt>
            <dd>
              ${!isWhole || entry.after === null ? html`<del>${shown(before)}</del>` : ''}
              ${entry.after !== null && html`<ins>${shown(after)}</ins>`}
            </dd>
          </div>`,
      )}
    </dl>
  </details>`;
};

const querySchema = z.object({
  page: listQuery.page,
  who: listQuery.search,
  action: listQuery.search,
  kind: z.enum(subjectKinds).optional().catch(undefined),
  subject: z
    .string()
    .trim()
    .max(100)
    .transform((text) => (text === '' ? undefined : text))
    .optional()
    .catch(undefined),
});

const list = consolePage('/audit', querySchema, async ({ db }, { page, ...filter }) => {
  const found = await auditRepo(db).list(filter, pageSize + 1, (page - 1) * pageSize);
  const { rows, links } = paged(found, page, '/audit', filter);
  return {
    title: 'Audit',
    main: html`<form class="search" method="get" action="/console/audit">
          <label
            ><span>Operator</span><input type="search" name="who" value="${filter.who}" maxlength="100"
          /></label>
          <label
            ><span>Action</span><input type="search" name="action" value="${filter.action}" maxlength="100"
          /></label>
          ${select('Kind', 'kind', [['', 'all'], ...subjectKinds.map((kind) => [kind, kind] as const)], filter.kind)}
          <label
            ><span>Id</span
            ><input type="search" name="subject" value="${filter.subject ?? ''}" maxlength="100"
          /></label>
          <button>Search</button>
        </form>
        ${table(
          'Changes by operators',
          ['Time', 'Operator', 'Action', 'Of what', 'Change', 'Request'],
          rows.map((entry) => [
            time(entry.at),
            entry.who,
            entry.action,
            `${entry.kind} ${entry.subject}`,
            entry.before === null && entry.after === null ? orDash(null) : changesOf(entry),
            entry.requestId === null ? orDash(null) : html`<code class="cut">${entry.requestId}</code>`,
          ]),
        )}
        ${links}`,
  };
});

export default defineSection({ name: 'audit', label: 'Audit', order: 11, pages: [list], actions: [] });
