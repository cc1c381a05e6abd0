/** Parts of a feed have runs and a state of their own, named `<feed>.<part>`. */
import { feedWrites } from '#store/postgres/feeds/feeds.ts';
import type { StartedRun } from '#store/postgres/feeds/feeds.ts';
import type { Tx } from '#store/postgres/sql.ts';
import type { Feed, FeedPart } from './define-feed.ts';

const partName = (feed: string, part: string): string => `${feed}.${part}`;

/** Names of a feed in the status: its own and those of its parts. */
export const shownNames = ({ name, parts = [] }: Pick<Feed, 'name' | 'parts'>): string[] => [
  name,
  ...parts.map((part) => partName(name, part)),
];

/** Stores the outcome of each part. */
export const storeParts = async (
  tx: Tx,
  run: StartedRun,
  { parts, source, now }: { parts: readonly FeedPart[]; source: string | null; now: Date },
): Promise<void> => {
  const writes = feedWrites(tx);
  for (const { name, count, dataAt, error } of parts) {
    const feed = partName(run.feed, name);
    const id = await writes.startRun({ ...run, feed, jobId: null });
    const ended = { id, feed, now };
    if (error !== null) {
      await writes.failRun({ ...ended, error, retryAt: null, isManual: run.isManual ?? false });
      continue;
    }
    const stored = { received: count, stored: null, rejected: null, bytes: null };
    await writes.finishRun({
      ...ended,
      validators: null,
      outcome: { ...stored, notModified: false, source, dataAt },
    });
  }
};
