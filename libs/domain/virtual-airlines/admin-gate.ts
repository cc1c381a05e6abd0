/** Who may change and read what a virtual airline owns (M-2.4.3, M-2.2.3b, M-2.5.1b). */
import { DomainError } from '../errors.ts';
import type { Caller, VaAdmin } from '../users/types.ts';

/** The role of an admin, active or not, with the name of the airline. */
export interface VaAdminRole extends VaAdmin {
  isActive: boolean;
  /** Null for an admin of all airlines, and if the airline no longer exists. */
  vaName: string | null;
}

/** Airline names ignore letter case. */
export const isSameVaName = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

const forbidden = (message: string) => new DomainError('FORBIDDEN', {}, message);

/**
 * The airline that an admin changes: its id, or a name to look up. Throws FORBIDDEN for anyone but an active admin, and
 * for an admin of one airline who names another; NO_VA_ASSIGNED for an admin without an airline; MISSING_VA_NAME for an
 * admin of all airlines who names none.
 */
export const airlineOfAdmin = (
  role: VaAdminRole | null,
  vaName: string | null,
): { id: number; name: string } | { id: null; name: string } => {
  if (!role?.isActive) throw forbidden('Only an admin of a virtual airline may change what it owns.');
  if (role.scope === 'FULL') {
    if (vaName === null)
      throw new DomainError('MISSING_VA_NAME', {}, 'Admins of all airlines must name one in vaName.');
    return { id: null, name: vaName };
  }
  if (role.vaId === null || role.vaName === null)
    throw new DomainError('NO_VA_ASSIGNED', {}, 'No virtual airline is assigned to you as its admin.');
  if (vaName !== null && !isSameVaName(vaName, role.vaName))
    throw forbidden('You are not an admin of this virtual airline.');
  return { id: role.vaId, name: role.vaName };
};

type Reader = Pick<Caller, 'vaIds' | 'vaAdmin' | 'activeVaId'>;

/** True for members of the airline, its admin and admins of all airlines. */
export const mayReadAirline = ({ vaIds, vaAdmin }: Reader, vaId: number): boolean =>
  vaIds.includes(vaId) || vaAdmin?.scope === 'FULL' || (vaAdmin !== null && vaAdmin.vaId === vaId);

/** The airlines that a user may read (`mayReadAirline`): these ids, or all. */
export const airlinesOfReader = ({ vaIds, vaAdmin }: Reader): { ids: number[]; isEvery: boolean } => ({
  ids: vaAdmin?.vaId ? [...vaIds, vaAdmin.vaId] : [...vaIds],
  isEvery: vaAdmin?.scope === 'FULL',
});

/**
 * The airline read without a name: the active one, else the only one. Throws FORBIDDEN for a user without an airline
 * and MISSING_VA_NAME for one who must choose.
 */
export const airlineOfReader = ({ vaIds, vaAdmin, activeVaId }: Reader): number => {
  if (activeVaId !== null && vaIds.includes(activeVaId)) return activeVaId;
  const [only, ...others] = vaIds;
  if (only !== undefined && others.length === 0) return only;
  if (only === undefined && vaAdmin === null) throw forbidden('You are not a member of any virtual airline.');
  if (only === undefined && vaAdmin?.scope === 'VA_ONLY')
    throw new DomainError('NO_VA_ASSIGNED', {}, 'Your virtual airline no longer exists.');
  throw new DomainError('MISSING_VA_NAME', {}, 'Name one of your virtual airlines in vaName.');
};
