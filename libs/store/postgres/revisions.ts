/**
 * Revisions of feed and operator data, which triggers raise (`data_revision` in the migrations). A user's call reads
 * them in the statement that authenticates it, so that it sees everything committed before; otherwise they are read
 * once a second.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { sql } from './sql.ts';
import type { ReadDb } from './sql.ts';

export type RevisedData = 'airport' | 'datis' | 'metar' | 'notam' | 'pirep' | 'sigmet' | 'taf' | 'wind';

/** For a statement that reads the revisions besides other columns: `airport 7,datis 4,…`. */
export const revisionsText = sql`(SELECT string_agg(name || ' ' || revision, ',' ORDER BY name) FROM data_revision)`;

export interface Revisions {
  /** Clears the caches of data whose revision is higher than before. */
  note: (text: string) => void;
  /** False once none was read for three seconds: cached data may be outdated. */
  isCurrent: () => boolean;
  /** Reads them now; rejects while the database is unavailable. */
  refresh: () => Promise<void>;
  close: () => Promise<void>;
}

const pollMs = 1_000;
const trustMs = 3_000;

export const createRevisions = (
  { db, log }: { db: ReadDb; log: Logger },
  changed: (name: string) => void,
): Revisions => {
  const known = new Map<string, number>();
  const closing = new AbortController();
  let lastText = '';
  let readAt = -Infinity;
  let hasFailed = false;

  const note = (text: string): void => {
    readAt = performance.now();
    if (text === lastText) return;
    lastText = text;
    for (const each of text.split(',')) {
      const [name = '', revision] = each.split(' ');
      // An older revision belongs to a call that was answered late.
      if (Number(revision) <= (known.get(name) ?? -1)) continue;
      known.set(name, Number(revision));
      changed(name);
    }
  };

  const refresh = async (): Promise<void> => {
    const text = await db.value<string>(sql`SELECT ${revisionsText} AS text`);
    note(text);
  };

  const follow = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        await refresh();
        hasFailed = false;
      } catch (error) {
        if (!hasFailed)
          log.warn({ err: error }, 'data revisions cannot be read: nothing is cached until they can');
        hasFailed = true;
      }
      await sleep(pollMs, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
    }
  };
  const following = follow();

  return {
    note,
    isCurrent: () => performance.now() - readAt < trustMs,
    refresh,
    close: async () => {
      closing.abort();
      await following;
    },
  };
};
