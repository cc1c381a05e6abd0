import { differences, subjectKinds } from '#domain/audit/entry.ts';
import type { AuditEntry } from '#domain/audit/entry.ts';
import { auditRepo } from '#store/postgres/audit/audit.ts';
import { maybe, maybeText, maybeTime, oneOf, paging } from '../flags.ts';
import { view } from '../verb.ts';
import type { Noun } from '../verb.ts';

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** `disabled_at: null -> 2026-11-22T…`; one word for a creation or deletion. */
const changesOf = (entry: AuditEntry): string => {
  if (entry.before === null && entry.after === null) return '-';
  if (entry.before === null) return 'created';
  if (entry.after === null) return 'deleted';
  return (
    differences(entry)
      .map(({ field, before, after }) => `${field}: ${shown(before)} -> ${shown(after)}`)
      .join(', ') || 'nothing changed'
  );
};

export const audit: Noun = {
  name: 'audit',
  title: 'Audit',
  summary: 'What operators changed, by command line and console.',
  verbs: {
    list: view({
      summary: 'Lists changes, newest first; --json has the states before and after.',
      flags: {
        who: maybeText('Part of the name of the operator, such as cli:ada or console:.'),
        action: maybeText('Part of the action, such as "user disable" or revoke.'),
        kind: maybe(oneOf(subjectKinds, `Kind of what was changed: ${subjectKinds.join(', ')}.`)),
        subject: maybeText('Id of what was changed.'),
        since: maybeTime('Day or time (UTC) from which on.'),
        ...paging,
      },
      run: async ({ db }, { limit, offset, ...filter }) => {
        const entries = await auditRepo(db).list(filter, limit, offset);
        return {
          data: { audit: entries.map((entry) => ({ ...entry, changes: changesOf(entry) })) },
          columns: { audit: 'at who action kind subject changes' },
        };
      },
    }),
  },
};
