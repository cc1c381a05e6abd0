import type { AuditEntry } from '#domain/audit/entry.ts';
import { redact } from '#platform/redaction/redact.ts';
import { insertOf, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

interface AuditFilter {
  /** Part of the operator's name. */
  who?: string | undefined;
  /** Part of the action. */
  action?: string | undefined;
  kind?: string | undefined;
  subject?: string | undefined;
  since?: Date | undefined;
}

export const auditRepo = (db: ReadDb) => ({
  /** Newest first. */
  list: (
    { who = '', action = '', kind, subject, since }: AuditFilter,
    limit: number,
    offset = 0,
  ): Promise<AuditEntry[]> =>
    db.any<AuditEntry>(sql`
      SELECT id, at, who, action, kind, subject, before, after, request_id FROM audit
      WHERE position(lower(${who}) IN lower(who)) > 0 AND position(lower(${action}) IN action) > 0
        AND (${kind ?? null}::text IS NULL OR kind = ${kind ?? null})
        AND (${subject ?? null}::text IS NULL OR subject = ${subject ?? null})
        AND (${since ?? null}::timestamptz IS NULL OR at >= ${since ?? null})
      ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`),
});

const jsonOf = (state: object | null): string | null =>
  state === null ? null : JSON.stringify(redact(state));

export const auditWrites = (tx: Tx) => ({
  /** Fields with the names of secrets are replaced. */
  add: (entry: Omit<AuditEntry, 'id'>): Promise<number> =>
    tx.run(insertOf('audit', { ...entry, before: jsonOf(entry.before), after: jsonOf(entry.after) })),
});
