import type { Logger } from 'pino';
import type { WindSnapshot } from '#domain/winds/snapshot.ts';
import { windCycleRepo } from '#store/postgres/winds/cycles.ts';
import type { ReadDb } from '#store/postgres/sql.ts';

/** The winds in use: one immutable snapshot, replaced as a whole. */
export interface WindStore {
  /** The active snapshot or null. Read it once per request, so that an answer never mixes cycles. */
  current: () => WindSnapshot | null;
  /** Loads the active cycle if it changed; if loading fails, the previous one stays active. Never rejects. */
  refresh: () => Promise<void>;
  /** Waits for a load in progress; no more loads follow. */
  close: () => Promise<void>;
}

/** Delay after a failed load, for example while the database is unavailable. */
const retryMs = 60_000;

/** Holds the active cycle in memory. Call `refresh` when a commit has changed it. */
export const createWindStore = ({ db, log }: { db: ReadDb; log: Logger }): WindStore => {
  const repo = windCycleRepo(db);
  let snapshot: WindSnapshot | null = null;
  let loadedId: number | null = null;
  let last: Promise<void> = Promise.resolve();
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;

  const loadActive = async (): Promise<void> => {
    if (isClosed) return;
    try {
      const active = await repo.active();
      if (!active || active.id === loadedId) return;
      const started = performance.now();
      const next = await repo.load(active.id);
      // Replaced in the meantime, which triggers another refresh.
      if (!next) return;
      snapshot = next;
      loadedId = active.id;
      log.info(
        { cycle: active.cycle, bytes: active.bytes, durationMs: Math.round(performance.now() - started) },
        'switched to another wind cycle',
      );
    } catch (error) {
      log.error({ err: error }, 'winds could not be loaded, the previous ones remain active');
      clearTimeout(retry);
      retry = setTimeout(() => void refresh(), retryMs).unref();
    }
  };
  const refresh = (): Promise<void> => {
    last = last.then(loadActive);
    return last;
  };

  return {
    current: () => snapshot,
    refresh,
    close: () => {
      isClosed = true;
      clearTimeout(retry);
      return last;
    },
  };
};
