import type { Context } from '#data/context.ts';
import type { RequestLogRow } from '#data/postgres/requests/log.ts';
import { UnavailableError } from '#domain/errors.ts';
import { createLogIds } from './request-log/ids.ts';
import { rowOf, sizeOfRow } from './request-log/rows.ts';
import type { LogEntry } from './request-log/rows.ts';
import { storeLogRows } from './request-log/store.ts';

export type { LogEntry } from './request-log/rows.ts';

export interface RequestLog {
  /** The next id, or null while none could be reserved: a request never waits for the log. */
  nextId: () => number | null;
  add: (entry: LogEntry) => void;
  /** Dropped entries: the store was unavailable for too long, or refused them. */
  readonly lost: () => number;
  /** Writes the entries added so far, if the database is available. */
  flush: () => Promise<void>;
  close: () => Promise<void>;
}

const flushMs = 200;
const maxBatchRows = 512;
const maxBatchLength = 2_097_152;
const maxEntries = 20_000;
const maxWaitingLength = 50_331_648;
const maxAttempts = 5;

/** The database cannot write now; the rows wait. */
const isStoreDown = (error: unknown): boolean => error instanceof UnavailableError && !error.mayBeItself;

/**
 * Ids in blocks, rows in batches, both outside the request path (M-2.1.5, M-5.8). Rows wait while the database is unavailable, up to
 * a limit; a batch that keeps failing for another reason is dropped. Every loss is counted, a burst of them reported in one line.
 */
export const createRequestLog = async (context: Context): Promise<RequestLog> => {
  const { log } = context;
  const nextId = await createLogIds(context);
  const waiting: RequestLogRow[] = [];
  let waitingLength = 0;
  /** Entries whose rows are made in the next turn, after their answers. */
  let entries = 0;
  let lost = 0;
  let unreported = 0;
  let attempts = 0;
  let writing: Promise<void> = Promise.resolve();

  const lose = (count: number): void => {
    lost += count;
    unreported += count;
  };
  const report = (): void => {
    if (unreported > 0) log.warn({ entries: unreported }, 'request log entries were lost');
    unreported = 0;
  };
  const drop = (count: number): void => {
    for (const row of waiting.splice(0, count)) waitingLength -= sizeOfRow(row);
  };

  const nextBatch = (): RequestLogRow[] => {
    let length = 0;
    const end = waiting.findIndex((row, i) => {
      length += sizeOfRow(row);
      return i >= maxBatchRows || (i > 0 && length > maxBatchLength);
    });
    return end === -1 ? [...waiting] : waiting.slice(0, end);
  };

  /** Ends early when the first batch must wait. */
  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = nextBatch();
      try {
        lose(batch.length - (await storeLogRows(context, batch)));
      } catch (error) {
        attempts += 1;
        const isGivenUp = !isStoreDown(error) && attempts >= maxAttempts;
        if (attempts === 1 || isGivenUp)
          log.warn({ err: error, entries: waiting.length, isGivenUp }, 'request log could not be written');
        if (!isGivenUp) return;
        lose(batch.length);
      }
      attempts = 0;
      drop(batch.length);
    }
    report();
  };
  const flush = (): Promise<void> => {
    writing = writing.then(write);
    return writing;
  };

  const keep = (entry: LogEntry): void => {
    entries -= 1;
    try {
      const row = rowOf(entry);
      const length = sizeOfRow(row);
      if (waitingLength + length > maxWaitingLength) return lose(1);
      waiting.push(row);
      waitingLength += length;
    } catch (error) {
      log.error({ err: error }, 'request log entry could not be prepared');
      lose(1);
    }
  };
  let isFlushing = false;
  const timer = setInterval(() => {
    if (isFlushing) return;
    isFlushing = true;
    void flush().finally(() => {
      isFlushing = false;
    });
  }, flushMs);
  timer.unref();

  return {
    nextId,
    add: (entry) => {
      if (entries + waiting.length >= maxEntries) return lose(1);
      entries += 1;
      setImmediate(keep, entry);
    },
    lost: () => lost,
    flush: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await flush();
    },
    close: async () => {
      clearInterval(timer);
      await new Promise((resolve) => setImmediate(resolve));
      await flush();
      lose(waiting.length);
      drop(waiting.length);
      report();
    },
  };
};
