import type { RequestLogRow } from '#store/postgres/requests/log.ts';
import { writeJson } from '#domain/text/json-text.ts';
import { cut, redact } from '#platform/redaction/redact.ts';
import type { Context } from '#data/context.ts';
import {
  idBlock,
  requestLogWrites,
  packRows,
  isMissingLogDay,
  logDayWrites,
} from '#store/postgres/requests/log.ts';
import { UnavailableError } from '#domain/errors.ts';

export interface LogEntry extends Omit<RequestLogRow, 'headers' | 'request' | 'response'> {
  headers: Readonly<Record<string, unknown>>;
  /** The parsed body, without members that the operation excludes from the log. */
  request: Readonly<Record<string, unknown>>;
  /** Size as received; 0 when unknown. */
  requestBytes: number;
  /** True if credentials were accepted and the call was not refused; otherwise only the size is kept. */
  isBodyKept: boolean;
  response: Readonly<Record<string, unknown>>;
  /** The answer's JSON, stored unchanged if nothing needs redaction. */
  responseText: string;
}

/** Maximum size of a stored body in bytes (M-8.24). */
const maxBodyBytes = 1_000_000;
const maxHeaderBytes = 16_384;
const maxIpLength = 64;

/** Headers that help with a report; credentials are never among them. */
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

const headersOf = (headers: LogEntry['headers']): string => {
  const kept = keptHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
  return cut(JSON.stringify(redact(Object.fromEntries(kept))), maxHeaderBytes);
};

const requestOf = ({ request, requestBytes, isBodyKept }: LogEntry): string | null => {
  if (!isBodyKept && requestBytes > 0) return JSON.stringify({ isBodyKept, bytes: requestBytes });
  if (Object.keys(request).length === 0) return null;
  if (isBodyKept) return cut(JSON.stringify(redact(request)), maxBodyBytes);
  return JSON.stringify({ isBodyKept, bytes: Buffer.byteLength(JSON.stringify(request)) });
};

const responseOf = ({ response, responseText }: LogEntry): string => {
  const shown = redact(response);
  return cut(shown === response ? responseText : writeJson(shown).logged, maxBodyBytes);
};

/** An entry as a redacted (M-5.8) and truncated row. */
const rowOf = (entry: LogEntry): RequestLogRow => {
  const { requestBytes: _bytes, isBodyKept: _kept, responseText: _text, ...row } = entry;
  return {
    ...row,
    requestId: redact(entry.requestId),
    ip: redact(entry.ip.slice(0, maxIpLength)),
    headers: headersOf(entry.headers),
    request: requestOf(entry),
    response: responseOf(entry),
  };
};

/** Number of characters of a row in memory and in a statement. */
const sizeOfRow = ({ headers, request, response }: RequestLogRow): number =>
  256 + (headers?.length ?? 0) + (request?.length ?? 0) + (response?.length ?? 0);

const lowWater = 300;

/** Reserves ids in blocks, so that no request waits for one; null when none are left. */
const createLogIds = async ({
  postgres,
  log,
}: Pick<Context, 'postgres' | 'log'>): Promise<() => number | null> => {
  let free: { next: number; end: number }[] = [];
  let reserving: Promise<void> | undefined;

  const reserve = (): Promise<void> => {
    reserving ??= postgres
      .transaction((tx) => requestLogWrites(tx).reserve())
      .then((first) => void free.push({ next: first, end: first + idBlock }))
      .catch((error: unknown) => log.warn({ err: error }, 'no log ids could be reserved'))
      .finally(() => {
        reserving = undefined;
      });
    return reserving;
  };
  await reserve();

  return () => {
    free = free.filter((block) => block.next < block.end);
    const [block] = free;
    if (free.reduce((sum, b) => sum + b.end - b.next, 0) < lowWater) void reserve();
    if (!block) return null;
    const id = block.next;
    block.next += 1;
    return id;
  };
};

/**
 * Writes rows in one transaction and returns how many are stored. The sweep creates partitions ahead of time; a missing
 * one is created here. Idempotent: existing rows count as stored.
 */
export const storeLogRows = async (
  { postgres }: Pick<Context, 'postgres'>,
  rows: readonly RequestLogRow[],
): Promise<number> => {
  const groups = await packRows(rows);
  const insert = () =>
    postgres.transaction(async (tx) => {
      let stored = 0;
      for (const group of groups) stored += await requestLogWrites(tx).insert(group);
      return stored;
    });
  try {
    return await insert();
  } catch (error) {
    if (!isMissingLogDay(error)) throw error;
    const days = new Set(groups.map(({ day }) => day));
    for (const day of days) await postgres.transaction((tx) => logDayWrites(tx).make(day));
    return insert();
  }
};

const flushMs = 200;
const maxBatchRows = 512;
const maxBatchLength = 2_097_152;
const maxEntries = 20_000;
const maxWaitingLength = 50_331_648;
const maxAttempts = 5;

/** The database is unavailable, so the rows wait. */
const isStoreDown = (error: unknown): boolean =>
  error instanceof UnavailableError && !error.mayBeCausedByRequest;

/**
 * Reserves ids in blocks and writes rows in batches, outside the request path (M-2.1.5, M-5.8). Rows wait while the
 * database is unavailable, up to a limit; a batch that keeps failing for another reason is dropped. Losses are counted,
 * and a burst is logged once.
 */
export const createRequestLog = async (context: Context) => {
  const { log } = context;
  const nextId = await createLogIds(context);
  const waiting: RequestLogRow[] = [];
  let waitingLength = 0;
  /** Entries turned into rows in the next turn, after their answers are sent. */
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

  /** Stops early when the first batch has to wait. */
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
    /** The next id, or null if none is reserved: no request waits for the log. */
    nextId,
    add: (entry: LogEntry): void => {
      if (entries + waiting.length >= maxEntries) return lose(1);
      entries += 1;
      setImmediate(keep, entry);
    },
    /** Entries dropped because the store was unavailable for too long or refused them. */
    lost: () => lost,
    /** Writes the entries added so far, if the database is available. */
    flush: async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      await flush();
    },
    close: async (): Promise<void> => {
      clearInterval(timer);
      await new Promise((resolve) => setImmediate(resolve));
      await flush();
      lose(waiting.length);
      drop(waiting.length);
      report();
    },
  };
};
