import type { Trail } from '#commands/audit/audited.ts';
import { DomainError } from '#domain/errors.ts';
import type { Clock } from '#domain/time.ts';
import { problemReportWrites } from '#store/postgres/reports/reports.ts';
import type { Tx } from '#store/postgres/sql.ts';

/** Closes a report; its log entry may then be deleted when it expires. Throws NOT_FOUND. */
export const closeReport = async (
  tx: Tx,
  { clock, trail }: { clock: Clock; trail: Trail },
  { id }: { id: number },
): Promise<void> => {
  await trail.changing('report', id);
  if ((await problemReportWrites(tx).close(id, clock.now())) === 0)
    throw new DomainError('NOT_FOUND', {}, `There is no open report ${id}.`);
};
