import { vaWrites } from '#data/postgres/virtual-airlines/virtual-airlines.ts';
import type { Tx } from '#data/postgres/sql.ts';

/**
 * Deletes an airline with everything that it owns. Its members and admins remain users; admins of this airline keep the
 * role without one.
 */
export const deleteAirline = async (tx: Tx, _deps: object, { vaId }: { vaId: number }): Promise<void> => {
  await vaWrites(tx).delete(vaId);
};
