import type { Deps } from '#commands/deps.ts';
import { DomainError } from '#domain/errors.ts';
import { feedRun } from '#domain/jobs/feed-run.ts';
import { wireTime } from '#domain/time.ts';
import { feedRepo } from '#store/postgres/feeds/feeds.ts';
import { feedStatusRepo } from '#store/postgres/feeds/status.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { slotAt } from '#store/schedule/slots.ts';

/**
 * Enqueues a run of a feed for its present slot, also when that was run before. Throws NOT_FOUND, FEED_OFF, and FEED_PAUSED
 * while the source has asked not to be called.
 */
export const runFeedNow = async (
  tx: Tx,
  { clock, jobs }: Deps<'clock' | 'jobs'>,
  { feed }: { feed: string },
): Promise<void> => {
  const now = clock.now();
  const declared = (await feedStatusRepo(tx).reports(now)).find((report) => report.feed === feed);
  if (!declared || declared.schedule === '')
    throw new DomainError('NOT_FOUND', {}, `There is no feed ${feed}.`);
  if (declared.status === 'off')
    throw new DomainError('FEED_OFF', {}, `The feed ${feed} has no source: it is not configured.`);
  const retryAt = (await feedRepo(tx).state(feed))?.retryAt ?? null;
  if (retryAt !== null && retryAt > now)
    throw new DomainError(
      'FEED_PAUSED',
      {},
      `The source asked not to be called before ${wireTime(retryAt)}.`,
    );
  // A part runs with the others.
  const [whole = feed] = feed.split('.');
  const slot = slotAt(declared.schedule, now).toISOString();
  // The key of a scheduled run is the slot alone, which may have been run.
  await jobs.enqueue(
    tx,
    feedRun,
    { feed: whole, slot },
    { dedupeKey: `${whole}@${slot} ${now.toISOString()}` },
  );
};
