import type { RequestLogRow } from '#data/postgres/requests/log.ts';
import type { Steps } from '#platform/redaction/steps.ts';
import { sizeOfEntry, withoutBodies } from './rows.ts';
import type { LogEntry } from './rows.ts';

/** Maximum number of bodies waiting for redaction; of further ones only the sizes are kept. */
const maxPendingLength = 16_777_216;
/** The thread is blocked no longer than this, plus one step. */
const sliceMs = 2;

export interface Intake {
  add: (entry: LogEntry) => void;
  readonly length: () => number;
  /** Resolves when every entry added so far has become a row. */
  settled: () => Promise<void>;
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Turns entries into rows right after their request, in slices that let the event loop continue in between. */
export const createIntake = (
  prepare: (entry: LogEntry) => Steps<RequestLogRow>,
  deliver: (row: RequestLogRow) => void,
  failed: (error: unknown) => void,
): Intake => {
  let entries: LogEntry[] = [];
  let pendingLength = 0;
  let count = 0;
  let draining: Promise<void> | null = null;
  let started = 0;

  const pause = async () => {
    if (performance.now() - started < sliceMs) return;
    await nextTurn();
    started = performance.now();
  };

  const prepared = async (entry: LogEntry): Promise<RequestLogRow> => {
    const steps = prepare(entry);
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
      await pause();
    }
  };

  const drain = async () => {
    await nextTurn();
    started = performance.now();
    while (entries.length > 0) {
      const batch = entries;
      entries = [];
      for (const entry of batch) {
        try {
          deliver(await prepared(entry));
        } catch (error) {
          failed(error);
        }
        count -= 1;
        pendingLength -= sizeOfEntry(entry);
        await pause();
      }
    }
    draining = null;
  };

  return {
    add: (entry) => {
      const isTooMuch = pendingLength + sizeOfEntry(entry) > maxPendingLength;
      const taken = isTooMuch ? withoutBodies(entry) : entry;
      pendingLength += sizeOfEntry(taken);
      count += 1;
      entries.push(taken);
      draining ??= drain();
    },
    length: () => count,
    settled: () => draining ?? Promise.resolve(),
  };
};
