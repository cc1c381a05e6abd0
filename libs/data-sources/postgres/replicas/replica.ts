/** One streaming replica: how far it is, and whether it may be read. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Postgres } from '../pool.ts';
import { sql } from '../sql.ts';
import type { ReadDb } from '../sql.ts';
import { positionOf } from './log-position.ts';
import type { LogHistory, LogPosition } from './log-position.ts';

/** Between two questions how far it is. */
const watchMs = 250;
/** Without an answer for so long it is away. */
const silenceMs = 1_000;
/** Between two questions while a call waits for it. */
const restMs = 2;

export interface ReplicaState {
  /** Host and port. */
  name: string;
  isUsed: boolean;
  /** Null: away, or further behind than is known. */
  lagSeconds: number | null;
}

export interface Replica {
  readonly db: ReadDb;
  /** Up to here it has replayed the log, or further. */
  replayed: () => LogPosition;
  /** False while it is away, lags, is no standby or has not replayed what is required of all. */
  isUsable: (required: LogPosition) => boolean;
  /** True once it has replayed this much; false after `limitMs`. */
  reaches: (position: LogPosition, limitMs: number) => Promise<boolean>;
  /** A read has failed: it is away until it answers again. */
  fail: (error: unknown) => void;
  state: (required: LogPosition) => ReplicaState;
  close: () => Promise<void>;
}

export interface ReplicaOptions {
  name: string;
  /** For reads, and a separate one for the questions how far it is, which must not wait for reads. */
  reading: Postgres;
  watching: Postgres;
  history: LogHistory;
  log: Logger;
  maxLagMs: number;
}

interface Found {
  isStandby: boolean;
  replayed: string | null;
}

export const createReplica = ({
  name,
  reading,
  watching,
  history,
  log,
  maxLagMs,
}: ReplicaOptions): Replica => {
  let replayed: LogPosition = 0n;
  let isStandby = false;
  let answeredAtMs = -Infinity;
  let problem: string | null = 'not asked yet';
  let isClosed = false;
  let asking: Promise<void> | undefined;

  const ask = async (): Promise<void> => {
    const began = performance.now();
    const found = await watching.db.one<Found & Record<string, unknown>>(
      sql`SELECT pg_is_in_recovery() AS "isStandby", pg_last_wal_replay_lsn()::text AS replayed`,
    );
    ({ isStandby } = found);
    // A promoted one goes on from there as a primary, of which this says nothing.
    if (isStandby && found.replayed !== null) replayed = positionOf(found.replayed);
    answeredAtMs = began;
  };
  /** Never rejects; those who ask at the same time share an answer. */
  const update = (): Promise<void> => {
    asking ??= ask()
      .catch((error: unknown) => {
        answeredAtMs = -Infinity;
        if (!isClosed) log.debug({ err: error, replica: name }, 'a replica does not answer');
      })
      .finally(() => {
        asking = undefined;
      });
    return asking;
  };

  const problemNow = (required: LogPosition): string | null => {
    if (performance.now() - answeredAtMs > silenceMs) return 'away';
    if (!isStandby) return 'no standby';
    if (replayed < required) return 'before the last loss of the primary';
    return history.ageMs(replayed) > maxLagMs ? `more than ${maxLagMs / 1_000} s behind` : null;
  };
  const isUsable = (required: LogPosition): boolean => {
    const now = problemNow(required);
    if (now !== problem) {
      if (now === null) log.info({ replica: name }, 'a replica is read');
      else log.warn({ replica: name, problem: now }, 'a replica is left out');
      problem = now;
    }
    return now === null;
  };

  const watch = async (): Promise<void> => {
    while (!isClosed) {
      await update();
      await sleep(watchMs, undefined, { ref: false });
    }
  };
  const watched = watch();

  return {
    db: reading.db,
    replayed: () => replayed,
    isUsable,
    reaches: async (position, limitMs) => {
      const untilMs = performance.now() + limitMs;
      for (;;) {
        if (replayed >= position) return true;
        const leftMs = untilMs - performance.now();
        if (leftMs <= 0) return false;
        await Promise.race([update(), sleep(leftMs, undefined, { ref: false })]);
        if (replayed < position) await sleep(restMs);
      }
    },
    fail: (error) => {
      answeredAtMs = -Infinity;
      log.debug({ err: error, replica: name }, 'a replica has failed a read');
    },
    state: (required) => {
      const lagMs = history.ageMs(replayed);
      const isKnown = problemNow(required) !== 'away' && lagMs !== Infinity;
      return { name, isUsed: isUsable(required), lagSeconds: isKnown ? lagMs / 1_000 : null };
    },
    close: async () => {
      isClosed = true;
      await Promise.all([reading.close(), watching.close()]);
      await watched;
    },
  };
};
