import type { Trail } from '#commands/audit/audited.ts';
import { DomainError } from '#domain/errors.ts';
import type { Clock } from '#domain/time.ts';
import { checklistReportWrites } from '#store/postgres/checklists/reports.ts';
import type { Tx } from '#store/postgres/sql.ts';

/** Closes a report; the checklist stays as it is. `revision`: what the operator was shown of it. Throws NOT_FOUND. */
export const dismissReport = async (
  tx: Tx,
  { clock, trail }: { clock: Clock; trail: Trail },
  { id, revision }: { id: number; revision: number | undefined },
): Promise<void> => {
  await trail.changing('checklist report', id);
  if ((await checklistReportWrites(tx).dismiss(id, revision ?? null, clock.now())) > 0) return;
  const what =
    revision === undefined ? 'a checklist' : `revision ${revision} of a checklist. Look at it again`;
  throw new DomainError('NOT_FOUND', {}, `There is no open report ${id} of ${what}.`);
};
