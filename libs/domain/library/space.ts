/** Owners of documents: a user, a virtual airline, or the service. */
import type { Caller } from '../users/types.ts';

export type LibraryOwner =
  | { type: 'user'; userId: number }
  | { type: 'va'; vaId: number }
  | { type: 'system' };

export const bytesPerMb = 1_048_576;

/** More than anyone needs, but limits the size of a sync. */
export const maxEntries = { folders: 5_000, files: 20_000 } as const;

/**
 * Documents that a user sees besides their own: those of the service and of these airlines, up to this level.
 */
export interface LibraryView {
  level: number;
  vaIds: readonly number[];
}

export const isSameView = (a: LibraryView, b: LibraryView): boolean =>
  a.level === b.level && a.vaIds.join() === b.vaIds.join();

type Reader = Pick<Caller, 'entitlement' | 'vaIds' | 'vaAdmin' | 'activeVaId'>;

/** Includes the airlines that the user belongs to or administers (M-2.5.1). */
export const viewOf = ({ entitlement, vaIds, vaAdmin }: Reader): LibraryView => {
  const ids = new Set([...vaIds, ...(vaAdmin?.vaId ? [vaAdmin.vaId] : [])]);
  return { level: entitlement.level, vaIds: [...ids].sort((a, b) => a - b) };
};

/** The airline whose storage is shown to a user: the active one, else the first; null if there is none (M-2.5.y7). */
export const shownAirline = ({ activeVaId, ...reader }: Reader): number | null => {
  const { vaIds } = viewOf({ activeVaId, ...reader });
  return activeVaId !== null && vaIds.includes(activeVaId) ? activeVaId : (vaIds[0] ?? null);
};

export const quotaBytes = (quotaMb: number): number => quotaMb * bytesPerMb;
