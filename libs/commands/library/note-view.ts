import type { LibraryView } from '#domain/library/space.ts';
import { addSeconds } from '#domain/time.ts';
import type { Clock } from '#domain/time.ts';
import { librarySpaceWrites } from '#store/postgres/library/spaces.ts';
import { librarySyncWrites } from '#store/postgres/library/sync.ts';
import { tombstoneDays } from '#store/postgres/sweeps/retentions.ts';
import type { Tx } from '#store/postgres/sql.ts';

/** Notes what a user sees of others from now on, for the syncs that follow. */
export const noteView = async (
  tx: Tx,
  { clock }: { clock: Clock },
  { userId, view }: { userId: number; view: LibraryView },
): Promise<void> => {
  const stamp = await librarySpaceWrites(tx).tick(clock.now());
  const before = addSeconds(clock.now(), -tombstoneDays * 86_400);
  await librarySyncWrites(tx).noteView(userId, view, { stamp, before });
};
