import { DomainError } from '#domain/errors.ts';
import type { LibraryOwner } from '#domain/library/space.ts';
import type { Clock } from '#domain/time.ts';
import { librarySpaceWrites } from '#store/postgres/library/spaces.ts';
import type { LockedSpace } from '#store/postgres/library/spaces.ts';
import type { Tx } from '#store/postgres/sql.ts';

export interface OpenSpace extends LockedSpace {
  now: Date;
  /** Stamp of the change; taken after everything that may wait or fail. */
  stamp: () => Promise<string>;
}

/** Begins a change of an owner's folders and files: until the commit nothing else changes them. Throws NOT_FOUND. */
export const lockSpace = async (
  tx: Tx,
  { clock }: { clock: Clock },
  { owner }: { owner: LibraryOwner },
): Promise<OpenSpace> => {
  const spaces = librarySpaceWrites(tx);
  const space = await spaces.lock(owner);
  if (!space) throw new DomainError('NOT_FOUND', {}, 'The virtual airline has been deleted.');
  const now = clock.now();
  return { ...space, now, stamp: () => spaces.tick(now) };
};
