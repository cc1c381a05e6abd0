import type { Logger } from 'pino';
import type { WindSnapshot } from '#domain/winds/snapshot.ts';
import { windCyclesRepo } from '../../postgres/winds/cycles.ts';
import type { Db } from '../../postgres/sql.ts';

/** The winds that a server answers from: one immutable snapshot, exchanged as a whole. */
export interface WindStore {
  /** The snapshot in force or null. Take it once per request, so that an answer never mixes two cycles. */
  current(): WindSnapshot | null;
  /** Looks at the pointer and loads the active cycle when it is another one. Never rejects. */
  refresh(): Promise<void>;
  /** Stops the polling and waits for a load that is under way. */
  close(): Promise<void>;
}

export interface WindStoreOptions {
  db: Db;
  log: Logger;
  /** A notification that came while the connection was down is lost, so the pointer is also polled. */
  pollMs?: number;
}

/**
 * Holds the active cycle in memory. Call `refresh` on a notification of the channel `wind_cycle` and when the
 * listener lost its connection; besides it polls. A cycle that cannot be loaded leaves the old one in force.
 */
export const createWindStore = ({ db, log, pollMs = 60_000 }: WindStoreOptions): WindStore => {
  const repo = windCyclesRepo(db);
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
      'winds switched to another cycle',
    );
  };

  const round = async (roundsLeft: number): Promise<void> => {
    again = false;
    try {
      await loadActive();
    } catch (error) {
      log.error({ err: error }, 'winds could not be loaded, the last ones stay in force');
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
