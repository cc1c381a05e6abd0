import { DomainError } from '#domain/errors.ts';
import { airlineOfReader, mayReadAirline } from '#domain/virtual-airlines/admin-gate.ts';
import { vaRepo } from '#store/postgres/virtual-airlines/virtual-airlines.ts';
import type { ReadDb } from '#store/postgres/sql.ts';
import type { Caller } from '#domain/users/types.ts';

/** Errors of `airlineToChange` and `airlineToRead`, to be spread into `errors`. */
export const vaErrors = {
  FORBIDDEN: 403,
  MISSING_VA_NAME: 400,
  NO_VA_ASSIGNED: 403,
  NOT_FOUND: 404,
} as const;

/**
 * The airline that a caller reads with `isVA`: the named one, else the active one, else the only one. Members and
 * admins may read. Throws FORBIDDEN for other airlines, whether or not they exist, and MISSING_VA_NAME if the caller
 * must choose.
 */
export const airlineToRead = async (
  db: ReadDb,
  caller: Pick<Caller, 'vaIds' | 'vaAdmin' | 'activeVaId'>,
  vaName: string | null = null,
): Promise<number> => {
  if (vaName === null) return airlineOfReader(caller);
  const found = await vaRepo(db).byName(vaName);
  if (!found || !mayReadAirline(caller, found.id))
    throw new DomainError('FORBIDDEN', {}, 'You are not a member of this virtual airline.');
  return found.id;
};
