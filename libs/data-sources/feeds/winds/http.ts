import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { RequestError } from 'got';
import type { Http } from '../../http.ts';
import { WindFeedError } from './errors.ts';
import type { ByteRange } from './idx.ts';

export interface WindResponse {
  status: number;
  body: Buffer;
  retryAfterSeconds: number | null;
}

/** Fetches an address or a part of it. Rejects with WindFeedError UNREACHABLE when there is no answer. */
export type WindFetch = (
  url: string,
  options: { range?: ByteRange; maxOctets: number; signal?: AbortSignal | undefined },
) => Promise<WindResponse>;

/** `Retry-After` as seconds: a number, or a date seen from `nowMs`. */
export function retryAfterSeconds(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - nowMs) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.min(86_400, Math.ceil(seconds))) : null;
}

/** `WindFetch` over the project's HTTP client; also reads `file:` addresses. */
export const windFetch = (http: Http, now: () => Date): WindFetch => {
  return async (url, { range, maxOctets, signal }) => {
    if (url.startsWith('file:')) return localFile(url, range);
    const tooLarge = new AbortController();
    const signals = signal ? [signal, tooLarge.signal] : [tooLarge.signal];
    try {
      const request = http.get(url, {
        responseType: 'buffer',
        decompress: false,
        signal: AbortSignal.any(signals),
        headers: range ? { range: `bytes=${range.start}-${range.end === null ? '' : range.end - 1}` } : {},
      });
      void request.on('downloadProgress', ({ transferred }) => {
        if (transferred > maxOctets) tooLarge.abort();
      });
      const response = await request;
      const body = response.body as Uint8Array;
      const header = response.headers['retry-after'];
      return {
        status: response.statusCode,
        body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
        retryAfterSeconds: retryAfterSeconds(header, now().getTime()),
      };
    } catch (error) {
      if (tooLarge.signal.aborted)
        throw new WindFeedError('DAMAGED', `${url} is larger than ${maxOctets} octets`, { cause: error });
      signal?.throwIfAborted();
      if (!(error instanceof RequestError)) throw error;
      throw new WindFeedError('UNREACHABLE', `${url}: ${error.code} ${error.message}`, { cause: error });
    }
  };
};

async function localFile(url: string, range: ByteRange | undefined): Promise<WindResponse> {
  try {
    const body = await readFile(fileURLToPath(url));
    return {
      status: range ? 206 : 200,
      body: range ? body.subarray(range.start, range.end ?? body.length) : body,
      retryAfterSeconds: null,
    };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { status: 404, body: Buffer.alloc(0), retryAfterSeconds: null };
    throw error;
  }
}
