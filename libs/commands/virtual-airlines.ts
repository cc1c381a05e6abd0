import { DomainError } from '#domain/errors.ts';
import { airlineOfAdmin } from '#domain/virtual-airlines/admin-gate.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { vaRepo, vaWrites } from '#store/postgres/virtual-airlines/virtual-airlines.ts';

interface AirlineChange {
  /** The user making the change. */
  userId: number;
  vaName?: string | null | undefined;
}

interface Airline {
  id: number;
  /** As typed by the operator. */
  name: string;
}

/**
 * Admits admins only to change data of a virtual airline: fleets, checklists, library (specification 2.4 rule 3):
 *
 *   const airline = input.isVA ? await airlineToChange(tx, {}, { userId: caller.userId, vaName: input.vaName }) : null;
 *
 * The role is read in the transaction and cannot end before it does. Throws FORBIDDEN, MISSING_VA_NAME and
 * NO_VA_ASSIGNED (`airlineOfAdmin`), and NOT_FOUND for an airline that does not exist; operations declare
 * them by `...vaErrors`, and take `isVA` and `vaName` from `...vaFields()`.
 */
export const airlineToChange = async (
  tx: Tx,
  _deps: object,
  { userId, vaName = null }: AirlineChange,
): Promise<Airline> => {
  const { id, name } = airlineOfAdmin(await vaWrites(tx).holdAdminRole(userId), vaName);
  if (id !== null) return { id, name };
  const found = await vaRepo(tx).byName(name);
  if (!found) throw new DomainError('NOT_FOUND', {}, 'There is no virtual airline of this name.');
  return { id: found.id, name: found.name };
};
