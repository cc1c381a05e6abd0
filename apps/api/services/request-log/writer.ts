import type { Context } from '#data/context.ts';
import type { RequestLogRow } from '#data/postgres/requests/log.ts';
import { UnavailableError } from '#domain/errors.ts';
import { sizeOfRow } from './rows.ts';
import { storeLogRows } from './store.ts';

const maxBatchRows = 512;
const maxBatchLength = 2_097_152;
const maxWaitingRows = 20_000;
const maxWaitingLength = 50_331_648;
const maxAttempts = 5;
const firstPauseMs = 200;
const maxPauseMs = 5_000;

export interface RowWriter {
  readonly add: (row: RequestLogRow) => void;
  readonly length: () => number;
  /** Counts dropped entries. */
  readonly lose: (count: number) => void;
  readonly lost: () => number;
  /** Writes waiting rows, unless the store has just failed. */
  readonly tick: () => void;
  /** Writes waiting rows now. */
  readonly flush: () => Promise<void>;
  /** Drops the rows that are still waiting. */
  readonly abandon: () => void;
}

const sqlStateOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code))
    ? String(error.code)
    : null;

/** The database cannot write now; the rows wait. */
const isStoreDown = (error: unknown): boolean => error instanceof UnavailableError && !error.mayBeItself;

/** The error concerns a row: data, a constraint, a size, or something that the driver could not send. */
const isFaultOfRow = (error: unknown): boolean => {
  const state = sqlStateOf(error);
  return state === null ? !(error instanceof UnavailableError) : /^(?:21|22|23|54)/.test(state);
};

/**
 * Writes rows in batches, bounded in rows and bytes. Rows wait while the database is unavailable, up to a
 * limit. A row that the database refuses is dropped on its own; a batch that keeps failing for another reason
 * is dropped after a few attempts. Every loss is counted, and a burst of losses is reported in one line when it
 * is over.
 */
export const createRowWriter = ({ postgres, log }: Pick<Context, 'postgres' | 'log'>): RowWriter => {
  let waiting: RequestLogRow[] = [];
  let waitingLength = 0;
  let lost = 0;
  let unreported = 0;
  let attempts = 0;
  let pausedUntil = 0;
  let isWriting = false;
  let writing: Promise<void> = Promise.resolve();

  const lose = (count: number) => {
    lost += count;
    unreported += count;
  };
  const report = () => {
    if (unreported > 0) log.warn({ entries: unreported }, 'request log entries were lost');
    unreported = 0;
  };

  /** The number of rows stored afterwards. Safe to repeat: an existing row counts, too. */
  const store = async (rows: readonly RequestLogRow[]): Promise<number> => {
    try {
      return await storeLogRows({ postgres }, rows);
    } catch (error) {
      if (!isFaultOfRow(error)) throw error;
      if (rows.length === 1) {
        log.warn({ err: error, logId: rows[0]?.id }, 'a request log entry was refused by the database');
        return 0;
      }
      const half = Math.ceil(rows.length / 2);
      return (await store(rows.slice(0, half))) + (await store(rows.slice(half)));
    }
  };

  const nextBatch = (): RequestLogRow[] => {
    let length = 0;
    const end = waiting.findIndex((row, i) => {
      length += sizeOfRow(row);
      return i >= maxBatchRows || (i > 0 && length > maxBatchLength);
    });
    return end === -1 ? [...waiting] : waiting.slice(0, end);
  };

  /** False when the batch must wait. */
  const settle = async (batch: readonly RequestLogRow[]): Promise<boolean> => {
    try {
      lose(batch.length - (await store(batch)));
    } catch (error) {
      attempts += 1;
      const isGivenUp = !isStoreDown(error) && attempts >= maxAttempts;
      if (attempts === 1 || isGivenUp)
        log.warn({ err: error, entries: waiting.length, isGivenUp }, 'request log could not be written');
      if (!isGivenUp) {
        pausedUntil = performance.now() + Math.min(maxPauseMs, firstPauseMs * 2 ** (attempts - 1));
        return false;
      }
      lose(batch.length);
    }
    attempts = 0;
    pausedUntil = 0;
    waiting = waiting.slice(batch.length);
    for (const row of batch) waitingLength -= sizeOfRow(row);
    return true;
  };

  const write = async () => {
    isWriting = true;
    try {
      while (waiting.length > 0) if (!(await settle(nextBatch()))) return;
      report();
    } finally {
      isWriting = false;
    }
  };
  const flush = () => {
    writing = writing.then(write);
    return writing;
  };

  return {
    add: (row) => {
      const length = sizeOfRow(row);
      if (waiting.length >= maxWaitingRows || waitingLength + length > maxWaitingLength) {
        lose(1);
        return;
      }
      waiting.push(row);
      waitingLength += length;
    },
    length: () => waiting.length,
    lose,
    lost: () => lost,
    tick: () => {
      const isDue = (waiting.length > 0 || unreported > 0) && performance.now() >= pausedUntil;
      if (isDue && !isWriting) void flush();
    },
    flush,
    abandon: () => {
      lose(waiting.length);
      waiting = [];
      waitingLength = 0;
      report();
    },
  };
};
