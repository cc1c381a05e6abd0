import type { Context } from '#data/context.ts';
import { idBlock, requestLogWrites } from '#data/postgres/requests/log.ts';
import type { RequestLogRow } from '#data/postgres/requests/log.ts';
import { redactedJson } from '#data/redact.ts';

export interface LogEntry extends Omit<RequestLogRow, 'headers' | 'request' | 'response'> {
  headers: Record<string, unknown>;
  request: unknown;
  response: unknown;
  /** The response as sent; stored as it is when nothing in it is secret. */
  responseText: string;
}

export interface RequestLog {
  /** The next id, or null while none could be reserved: a request never waits for the log. */
  nextId(): number | null;
  add(entry: LogEntry): void;
  /** Entries given up because the store stayed away too long. */
  readonly lost: () => number;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** What a report needs to know of a client; credentials are never among it. */
const keptHeaders = [
  'user-agent',
  'content-type',
  'content-length',
  'origin',
  'accept-language',
  'x-forwarded-for',
  'x-api-version',
  'x-svc-client',
  'x-svc-device',
  'x-svc-os',
  'x-svc-app-version',
  'x-svc-build',
  'x-svc-contract-version',
] as const;

const toldHeaders = (headers: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const told: Record<string, unknown> = {};
  for (const name of keptHeaders) if (headers[name] !== undefined) told[name] = headers[name];
  return told;
};

const flushMs = 200;
const batchSize = 512;
const maxWaiting = 20_000;
const lowWater = 300;

/** Ids in blocks, rows in batches, both off the request's path (M-2.1.5, M-5.8). */
export const createRequestLog = async (context: Context): Promise<RequestLog> => {
  const { postgres } = context;
  let free: { next: number; end: number }[] = [];
  let waiting: LogEntry[] = [];
  let lost = 0;
  let reserving: Promise<void> | undefined;

  const reserve = (): Promise<void> => {
    reserving ??= postgres
      .transaction((tx) => requestLogWrites(tx).reserve())
      .then((first) => void free.push({ next: first, end: first + idBlock }))
      .catch((error: unknown) => context.log.warn({ err: error }, 'no log ids could be reserved'))
      .finally(() => {
        reserving = undefined;
      });
    return reserving;
  };
  await reserve();

  const write = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize);
      const rows = batch.map((entry) => ({
        ...entry,
        headers: JSON.stringify(toldHeaders(entry.headers)),
        request: redactedJson(entry.request, JSON.stringify(entry.request)),
        response: redactedJson(entry.response, entry.responseText),
      }));
      try {
        await postgres.transaction((tx) => requestLogWrites(tx).insert(rows));
        waiting = waiting.slice(batch.length);
      } catch (error) {
        context.log.warn(
          { err: error, waiting: waiting.length },
          'request log could not be written, will try again',
        );
        return;
      }
    }
  };
  let writing: Promise<void> = Promise.resolve();
  const flush = () => {
    writing = writing.then(write);
    return writing;
  };
  const timer = setInterval(() => void flush(), flushMs);
  timer.unref();

  return {
    nextId: () => {
      free = free.filter((block) => block.next < block.end);
      const [block] = free;
      if (free.reduce((sum, b) => sum + b.end - b.next, 0) < lowWater) void reserve();
      if (!block) return null;
      const id = block.next;
      block.next += 1;
      return id;
    },
    add: (entry) => {
      if (waiting.length >= maxWaiting) {
        lost += 1;
        return;
      }
      waiting.push(entry);
    },
    lost: () => lost,
    flush,
    close: async () => {
      clearInterval(timer);
      await flush();
    },
  };
};
