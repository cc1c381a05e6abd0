import type { Trail } from '#commands/audit/audited.ts';
import { DomainError } from '#domain/errors.ts';
import type { Clock } from '#domain/time.ts';
import { checklistReportWrites } from '#data/postgres/checklists/reports.ts';
import type { Tx } from '#data/postgres/sql.ts';

/** Closes a report; the checklist stays as it is. Throws NOT_FOUND. */
export const dismissReport = async (
  tx: Tx,
  { clock, trail }: { clock: Clock; trail: Trail },
  { id }: { id: number },
): Promise<void> => {
  await trail.changing('checklist report', id);
  if ((await checklistReportWrites(tx).dismiss(id, clock.now())) === 0)
    throw new DomainError('NOT_FOUND', {}, `There is no open report ${id} of a checklist.`);
};
