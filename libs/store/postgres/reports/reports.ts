import type { ReportInput, Severity } from '#domain/feedback/report.ts';
import { insertId, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

interface ProblemReport {
  id: number;
  logId: number;
  email: string;
  severity: Severity;
  description: string;
  createdAt: Date;
  closedAt: Date | null;
}

const listed = sql`
  SELECT r.id, r.log_id, u.email, r.severity, r.description, r.created_at,
    r.closed_at
  FROM problem_report r JOIN app_user u ON u.id = r.user_id`;

/** Reports of users about one request; while one is open, its log entry is kept (M-8.23). */
export const problemReportRepo = (db: ReadDb) => ({
  list: (includeClosed: boolean, limit = 500, offset = 0): Promise<ProblemReport[]> =>
    db.any<ProblemReport>(
      sql`${listed} WHERE ${includeClosed} OR r.closed_at IS NULL ORDER BY r.id DESC LIMIT ${limit} OFFSET ${offset}`,
    ),

  byId: (id: number): Promise<ProblemReport | null> =>
    db.maybe<ProblemReport>(sql`${listed} WHERE r.id = ${id}`),
});

interface NewReport extends ReportInput {
  userId: number;
}

export const problemReportWrites = (tx: Tx) => ({
  /** Id of the new report. The caller then checks in the same transaction that the log entry still exists. */
  open: ({ logId, userId, severity, description }: NewReport, now: Date): Promise<number> =>
    insertId(tx, 'problem_report', { logId, userId, severity, description, createdAt: now }),

  /** 0 when there is no such open report. */
  close: (id: number, now: Date): Promise<number> =>
    tx.run(sql`UPDATE problem_report SET closed_at = ${now} WHERE id = ${id} AND closed_at IS NULL`),
});
