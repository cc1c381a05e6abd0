/** The only way for operators and application owners to change data: with an audit row per subject. */
import type { Operator, State, SubjectKind } from '#domain/audit/entry.ts';
import { DomainError } from '#domain/errors.ts';
import type { Clock } from '#domain/time.ts';
import { auditWrites, auditSnapshotWrites, digestOf } from '#store/postgres/audit/audit.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import type { Tx } from '#store/postgres/sql.ts';

/** Names the subjects of a change before it is made, or right after. */
export interface Trail {
  /**
   * Before a change: locks the row and keeps its state, once. `seen` is the digest of the state shown to the operator;
   * throws CHANGED_MEANWHILE if it differs.
   */
  changing: (kind: SubjectKind, id: number | string, seen?: string) => Promise<void>;
  /** After a creation. */
  created: (kind: SubjectKind, id: number | string) => void;
  /** A change to something without a database row, with both states. */
  noted: (kind: SubjectKind, id: number | string, before: State | null, after: State | null) => void;
}

export type AuditedChange = <T>(work: (tx: Tx, trail: Trail) => Promise<T>) => Promise<T>;

interface Subject {
  kind: SubjectKind;
  id: string;
  before: State | null;
  /** Absent: read from the database when the change is made. */
  after?: State | null;
}

interface Deps {
  postgres: Pick<Postgres, 'transaction'>;
  clock: Clock;
}

/** Runs one transaction with an audit row per subject. `action` is noun and verb on the command line. */
export const auditedChange =
  ({ postgres, clock }: Deps, operator: Operator, action: string): AuditedChange =>
  (work) =>
    postgres.transaction(async (tx) => {
      const snapshots = auditSnapshotWrites(tx);
      const subjects: Subject[] = [];
      const result = await work(tx, {
        changing: async (kind, id, seen) => {
          if (subjects.some((subject) => subject.kind === kind && subject.id === String(id))) return;
          const before = await snapshots.of(kind, String(id));
          if (seen !== undefined && before !== null && digestOf(before) !== seen)
            throw new DomainError(
              'CHANGED_MEANWHILE',
              {},
              `This ${kind} has changed since it was shown. Nothing was done; look at it again.`,
            );
          subjects.push({ kind, id: String(id), before });
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
    });
