import type { ReportOutcome, ReportReason } from '#domain/checklists/rules.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

interface ChecklistReport {
  id: number;
  checklistId: string;
  /** Present name of the checklist. */
  name: string;
  /** Email address of the user, or name of the airline. */
  owner: string;
  shared: boolean;
  /** Email address of the reporter. */
  reporter: string;
  reason: ReportReason;
  description: string | null;
  /** Present revision of the checklist. */
  revision: number;
  /** The checklist has changed since the report. */
  changedSince: boolean;
  createdAt: Date;
  closedAt: Date | null;
  outcome: ReportOutcome | null;
}

const listed = sql`
  SELECT r.id, r.checklist_id, c.name, coalesce(v.name, o.email) AS owner, c.share_community AS shared,
    u.email AS reporter, r.reason, r.description, c.revision, c.revision <> r.revision AS changed_since, r.created_at,
    r.closed_at, r.outcome
  FROM checklist_report r JOIN checklist c ON c.id = r.checklist_id JOIN app_user u ON u.id = r.user_id
    LEFT JOIN virtual_airline v ON v.id = c.va_id LEFT JOIN app_user o ON o.id = c.user_id`;

/** Reports of users about checklists of the community, for operators. */
export const checklistReportRepo = (db: ReadDb) => ({
  /** The latest first. */
  list: (includeClosed: boolean, limit = 500, offset = 0): Promise<ChecklistReport[]> =>
    db.any<ChecklistReport>(sql`
      ${listed} WHERE ${includeClosed} OR r.closed_at IS NULL ORDER BY r.id DESC LIMIT ${limit} OFFSET ${offset}`),

  byId: (id: number): Promise<ChecklistReport | null> =>
    db.maybe<ChecklistReport>(sql`${listed} WHERE r.id = ${id}`),
});

interface NewChecklistReport {
  checklistId: string;
  userId: number;
  reason: ReportReason;
  description: string | null;
}

export const checklistReportWrites = (tx: Tx) => ({
  /** The id; null if the user already has an open report of this checklist. */
  open: (
    { checklistId, userId, reason, description }: NewChecklistReport,
    now: Date,
  ): Promise<number | null> =>
    tx.valueOrNull<number>(sql`
        INSERT INTO checklist_report (checklist_id, user_id, reason, description, revision, created_at)
        SELECT id, ${userId}, ${reason}, ${description}, revision, ${now} FROM checklist WHERE id = ${checklistId}
        ON CONFLICT ON CONSTRAINT checklist_report_open DO NOTHING RETURNING id`),

  /** 0 when there is no such open report. */
  dismiss: (id: number, now: Date): Promise<number> =>
    tx.run(sql`
      UPDATE checklist_report SET closed_at = ${now}, outcome = 'dismissed'
      WHERE id = ${id} AND closed_at IS NULL`),

  /** Closes all open reports of a checklist; returns their number. */
  closeAll: (checklistId: string, now: Date): Promise<number> =>
    tx.run(sql`
      UPDATE checklist_report SET closed_at = ${now}, outcome = 'unshared'
      WHERE checklist_id = ${checklistId} AND closed_at IS NULL`),
});
