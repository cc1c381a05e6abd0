import { EfbError, problemOf, retryAfterOf } from './errors.ts';
import { createSilence, textOf } from './silence.ts';
import type { ClientOptions } from './types.ts';

export interface Attempt {
  query: string;
  /** JSON text, or a form with a file. */
  body: string | FormData;
  token: string | null;
  /** `Idempotency-Key`. */
  key: string | null;
  signal: AbortSignal | undefined;
  /** The longest time without progress of the body or the answer. */
  timeoutMs: number;
}

export type Send = (attempt: Attempt) => Promise<unknown>;

const parsed = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    // For example an HTML page from a proxy.
    return null;
  }
};

/** Approximate: the form's overhead is not counted. */
const sizeOf = (body: string | FormData): number => {
  if (typeof body === 'string') return body.length;
  let bytes = 0;
  for (const [, value] of body) bytes += typeof value === 'string' ? value.length : value.size;
  return bytes;
};

/** One request. Throws the reason of an aborted signal, or an EfbError. */
export const createSend = ({ baseUrl, devKey, fetch: given }: ClientOptions): Send => {
  const url = `${baseUrl.replace(/\/+$/, '')}/api`;
  return async ({ query, body, token, key, signal, timeoutMs }) => {
    const silence = createSilence(timeoutMs, sizeOf(body));
    let response: Response;
    let text: string;
    try {
      response = await (given ?? fetch)(url, {
        method: 'POST',
        headers: {
          accept: 'application/json',
          ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
          ...(devKey === undefined ? {} : { 'x-dev-key': devKey }),
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(key === null ? {} : { 'idempotency-key': key }),
        },
        body,
        signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
      });
      text = await textOf(response, silence);
    } catch (error) {
      signal?.throwIfAborted();
      const isLate = silence.signal.aborted;
      throw new EfbError(
        isLate
          ? `${query}: nothing has arrived for ${timeoutMs} ms.`
          : `${query}: the service cannot be reached.`,
        {
          query,
          code: isLate ? 'TIMEOUT' : 'NETWORK_ERROR',
          status: 0,
          logId: null,
          details: [],
          retryAfterSeconds: null,
          body: {},
        },
        { cause: error },
      );
    } finally {
      silence.end();
    }
    const answer = parsed(text);
    const problem = problemOf(response.status, answer ?? {});
    if (answer && !problem) return answer;
    const logId = response.headers.get('x-svc-log-id');
    throw new EfbError(problem?.message ?? `${query}: the answer is not JSON.`, {
      query,
      code: problem?.code ?? 'INVALID_ANSWER',
      status: response.status,
      logId: logId === null ? null : Number(logId),
      details: problem?.details ?? [],
      retryAfterSeconds: retryAfterOf(response.headers, Date.now()),
      body: answer ?? {},
    });
  };
};
