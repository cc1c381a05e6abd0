import { createHmac, createSecretKey } from 'node:crypto';
import type { Context } from '#data/context.ts';
import { createLogIds } from './request-log/ids.ts';
import { createIntake } from './request-log/intake.ts';
import { rowOf } from './request-log/rows.ts';
import type { LogEntry } from './request-log/rows.ts';
import { createRowWriter } from './request-log/writer.ts';

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
const maxEntries = 20_000;

/**
 * Ids in blocks, rows in batches, both outside the request path (M-2.1.5, M-5.8). An entry is redacted and cut
 * right after its request, so that no large body waits for the database.
 */
export const createRequestLog = async (context: Context): Promise<RequestLog> => {
  const nextId = await createLogIds(context);
  const writer = createRowWriter(context);
  // As a KeyObject: of bytes each HMAC would make one, which takes seven times as long as the rest.
  const digestKey = createSecretKey(
    createHmac('sha256', context.config.JWT_SECRET[0] ?? '')
      .update('request log')
      .digest(),
  );
  const intake = createIntake(
    (entry) => rowOf(entry, digestKey),
    writer.add,
    (error) => {
      context.log.error({ err: error }, 'request log entry could not be prepared');
      writer.lose(1);
    },
  );
  const timer = setInterval(writer.tick, flushMs);
  timer.unref();

  const flush = async () => {
    await intake.settled();
    await writer.flush();
  };

  return {
    nextId,
    add: (entry) => {
      if (intake.length() + writer.length() >= maxEntries) writer.lose(1);
      else intake.add(entry);
    },
    lost: writer.lost,
    flush,
    close: async () => {
      clearInterval(timer);
      await flush();
      writer.abandon();
    },
  };
};
