import type { Trail } from '#commands/audit/audited.ts';
import { DomainError } from '#domain/errors.ts';
import type { Clock } from '#domain/time.ts';
import { checklistWrites } from '#store/postgres/checklists/checklists.ts';
import { checklistReportWrites } from '#store/postgres/checklists/reports.ts';
import type { Tx } from '#store/postgres/sql.ts';

/** Takes a checklist out of the community and closes its open reports, whose number it returns. Throws NOT_FOUND. */
export const unshareChecklist = async (
  tx: Tx,
  { clock, trail }: { clock: Clock; trail: Trail },
  { id }: { id: string },
): Promise<number> => {
  await trail.changing('checklist', id);
  if ((await checklistWrites(tx).unshare(id)) === 0)
    throw new DomainError('NOT_FOUND', {}, `There is no checklist ${id}.`);
  return checklistReportWrites(tx).closeAll(id, clock.now());
};
