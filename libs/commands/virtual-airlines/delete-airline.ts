import { clearSpace } from '#commands/library/clear-space.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import type { Clock } from '#domain/time.ts';
import { vaWrites } from '#store/postgres/virtual-airlines/virtual-airlines.ts';
import type { Tx } from '#store/postgres/sql.ts';

/**
 * Deletes an airline with everything that it owns. Its members and admins remain users; admins of this airline keep the
 * role without one.
 */
export const deleteAirline = async (
  tx: Tx,
  deps: { clock: Clock; jobs: JobProducer<Tx> },
  { vaId }: { vaId: number },
): Promise<void> => {
  await clearSpace(tx, deps, { owner: { type: 'va', vaId } });
  await vaWrites(tx).delete(vaId);
};
