import { EfbError, problemOf, retryAfterOf } from './errors.ts';
import { createSilence } from './silence.ts';
import { isRepeatable, pause, waitMs } from './retry.ts';
import type { CallOptions, ClientOptions } from './types.ts';

export interface DownloadOptions extends Pick<CallOptions, 'signal' | 'retries'> {
  /** Milliseconds without a byte after which a connection is given up; default: the client's. */
  timeoutMs?: number;
  /** Where an earlier download stopped: `received` and `etag` of its last part. */
  from?: { received: number; etag: string };
}

export interface DownloadPart {
  bytes: Uint8Array<ArrayBuffer>;
  /** Bytes received so far. */
  received: number;
  /** Size of the file; null: unknown. */
  size: number | null;
  etag: string;
}

const query = 'download';

const failure = (code: string, status: number, message: string, more: Partial<EfbError> = {}): EfbError =>
  new EfbError(
    message,
    { query, code, status, logId: null, details: [], retryAfterSeconds: null, body: {}, ...more },
    more.cause === undefined ? {} : { cause: more.cause },
  );

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const refusalOf = async (response: Response): Promise<EfbError> => {
  const body: unknown = await response.json().catch(() => null);
  const known = isRecord(body) ? body : {};
  const { code, message, details } = problemOf(response.status, known) ?? {
    code: 'INVALID_ANSWER',
    message: `The service answered ${response.status}.`,
    details: [],
  };
  const retryAfterSeconds = retryAfterOf(response.headers, Date.now());
  return failure(code, response.status, message, { details, retryAfterSeconds, body: known });
};

/** 10 for `bytes 5-9/10`; null without a size. */
const sizeOf = (response: Response): number | null => {
  const [, size] = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? [];
  const length = size ?? response.headers.get('content-length');
  return length === null ? null : Number(length);
};

/** One connection, from byte `received` on. */
const connection = async function* (
  url: string,
  { from, signal, timeoutMs = 30_000 }: DownloadOptions,
  fetchFrom: typeof fetch,
): AsyncGenerator<DownloadPart, void, undefined> {
  const silence = createSilence(timeoutMs);
  try {
    const response = await fetchFrom(url, {
      headers: from ? { range: `bytes=${from.received}-`, 'if-range': from.etag } : {},
      signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
    });
    const size = sizeOf(response);
    if (response.status === 416 && from && size === from.received) return;
    if (!response.ok) throw await refusalOf(response);
    if (from && response.status !== 206)
      throw failure('DOWNLOAD_CHANGED', response.status, 'The file has been replaced: begin again.');
    const etag = response.headers.get('etag') ?? '';
    let received = from?.received ?? 0;
    const reader = response.body?.getReader();
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) break;
      silence.progress();
      received += value.length;
      yield { bytes: value, received, size, etag };
    }
    if (size !== null && received < size) throw failure('NETWORK_ERROR', 0, 'The connection was cut.');
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof EfbError) throw error;
    throw silence.signal.aborted
      ? failure('TIMEOUT', 0, `No byte within ${timeoutMs} ms.`, { cause: error })
      : failure('NETWORK_ERROR', 0, 'The service cannot be reached.', { cause: error });
  } finally {
    silence.end();
  }
};

/** The bytes behind a download link; resumes an interrupted connection. */
export const downloadFrom = async function* (
  { fetch: given, timeoutMs = 30_000, retries = 3, maxWaitMs = 20_000 }: ClientOptions,
  url: string,
  options: DownloadOptions = {},
): AsyncGenerator<DownloadPart, void, undefined> {
  let { from } = options;
  for (let n = 0; ; n += 1) {
    try {
      const call = { timeoutMs, ...options, ...(from ? { from } : {}) };
      for await (const part of connection(url, call, given ?? fetch)) {
        from = part;
        // Counts consecutive attempts without a byte.
        n = 0;
        yield part;
      }
      return;
    } catch (error) {
      if (!(error instanceof EfbError) || n >= (options.retries ?? retries)) throw error;
      const ms = waitMs(error, n);
      if (!isRepeatable(error, true) || ms > maxWaitMs) throw error;
      await pause(ms, options.signal);
    }
  }
};
