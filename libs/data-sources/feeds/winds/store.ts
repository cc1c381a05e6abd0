import type { Logger } from 'pino';
import type { WindSnapshot } from '#domain/winds/snapshot.ts';
import { windCycleRepo } from '#store/postgres/winds/cycles.ts';
import type { ReadDb } from '#store/postgres/sql.ts';

/** The winds a server uses: one immutable snapshot, exchanged as a whole. */
export interface WindStore {
  /** The active snapshot or null. Read it once per request, so that an answer never mixes two cycles. */
  current: () => WindSnapshot | null;
  /** Checks the pointer and loads the active cycle when it has changed. Never rejects. */
  refresh: () => Promise<void>;
  /** Stops polling and waits for a load in progress. */
  close: () => Promise<void>;
}

export interface WindStoreOptions {
  db: ReadDb;
  log: Logger;
  /** While changes cannot be read, the pointer is polled. */
  pollMs?: number;
}

/**
 * Holds the active cycle in memory. Call `refresh` when a commit has changed it and when changes may
 * have been missed; it also polls. A cycle that cannot be loaded leaves the old one active.
 */
export const createWindStore = ({ db, log, pollMs = 60_000 }: WindStoreOptions): WindStore => {
  const repo = windCycleRepo(db);
  let snapshot: WindSnapshot | null = null;
  let loadedId: number | null = null;
  let running: Promise<void> | null = null;
  let again = false;
  let closed = false;

  const loadActive = async (): Promise<void> => {
    const active = await repo.active();
    if (!active || active.id === loadedId) return;
    const started = performance.now();
    const next = await repo.load(active.id);
    if (!next) {
      again = true;
      return;
    }
    if (closed) return;
    snapshot = next;
    loadedId = active.id;
    log.info(
      { cycle: active.cycle, bytes: active.bytes, durationMs: Math.round(performance.now() - started) },
      'switched to another wind cycle',
    );
  };

  const round = async (roundsLeft: number): Promise<void> => {
    again = false;
    try {
      await loadActive();
    } catch (error) {
      log.error({ err: error }, 'winds could not be loaded, the previous ones remain active');
      return;
    }
    if (again && !closed && roundsLeft > 0) await round(roundsLeft - 1);
  };

  const refresh = (): Promise<void> => {
    if (running) {
      again = true;
      return running;
    }
    running = round(4).finally(() => {
      running = null;
    });
    return running;
  };

  const timer = setInterval(() => void refresh(), pollMs);
  timer.unref();

  return {
    current: () => snapshot,
    refresh,
    close: async () => {
      closed = true;
      clearInterval(timer);
      await running;
    },
  };
};
