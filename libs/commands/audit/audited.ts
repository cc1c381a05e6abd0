import type { Operator, State, SubjectKind } from '#domain/audit/entry.ts';
import type { Clock } from '#domain/time.ts';
import { auditWrites } from '#data/postgres/audit/log.ts';
import { auditSnapshotWrites } from '#data/postgres/audit/snapshots.ts';
import type { Tx } from '#data/postgres/sql.ts';

/** What a change names before, or right after, it is made. */
export interface Trail {
  /** Before a change: keeps the present state. */
  changing: (kind: SubjectKind, id: number | string) => Promise<void>;
  /** After a creation. */
  created: (kind: SubjectKind, id: number | string) => void;
  /** A change of what the database has no row of, with its states. */
  noted: (kind: SubjectKind, id: number | string, before: State | null, after: State | null) => void;
}

export interface AuditedChange<T> {
  /** Noun and verb of the command line. */
  action: string;
  work: (trail: Trail) => Promise<T>;
}

interface Subject {
  kind: SubjectKind;
  id: string;
  before: State | null;
  /** Absent: read when the change is made. */
  after?: State | null;
}

/** Runs a change of an operator and leaves one audit row per subject, in the same transaction. */
export const audited = async <T>(
  tx: Tx,
  { clock, operator }: { clock: Clock; operator: Operator },
  { action, work }: AuditedChange<T>,
): Promise<T> => {
  const snapshots = auditSnapshotWrites(tx);
  const subjects: Subject[] = [];
  const result = await work({
    changing: async (kind, id) => {
      subjects.push({ kind, id: String(id), before: await snapshots.of(kind, String(id)) });
    },
    created: (kind, id) => void subjects.push({ kind, id: String(id), before: null }),
    noted: (kind, id, before, after) => void subjects.push({ kind, id: String(id), before, after }),
  });
  if (subjects.length === 0) throw new Error(`"${action}" names nothing that it changes`);
  for (const { kind, id, before, after } of subjects)
    await auditWrites(tx).add({
      at: clock.now(),
      ...operator,
      action,
      kind,
      subject: id,
      before,
      after: after === undefined ? await snapshots.of(kind, id) : after,
    });
  return result;
};
