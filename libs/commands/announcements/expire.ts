import type { Trail } from '#commands/audit/audited.ts';
import { DomainError } from '#domain/errors.ts';
import type { Clock } from '#domain/time.ts';
import { announcementWrites } from '#store/postgres/announcements/announcements.ts';
import type { Tx } from '#store/postgres/sql.ts';

/** Ends an announcement now. Throws NOT_FOUND. */
export const expireAnnouncement = async (
  tx: Tx,
  { clock, trail }: { clock: Clock; trail: Trail },
  { id }: { id: number },
): Promise<void> => {
  await trail.changing('announcement', id);
  if ((await announcementWrites(tx).expire(id, clock.now())) === 0)
    throw new DomainError('NOT_FOUND', {}, `There is no announcement ${id} that has not expired.`);
};
