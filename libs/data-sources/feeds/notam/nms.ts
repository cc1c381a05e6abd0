import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { NotamBatch } from '#domain/notam/types.ts';
import { retryAfterOf } from '../fetch.ts';
import { SourceError, shownAddress } from '#domain/source-error.ts';
import { oneLineOf } from '#platform/one-line.ts';
import { parseAixm } from './aixm.ts';
import { parseNotamGeoJson } from './geojson.ts';

export interface NmsAnswer {
  status: number;
  /** Lower-case names. */
  headers: Readonly<Record<string, string | undefined>>;
  body: AsyncIterable<Uint8Array>;
}

export interface NmsRequest {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  form?: Record<string, string>;
}

/** One request without following redirects; any status is an answer. Rejects without one. */
export type NmsTransport = (address: string, request: NmsRequest) => Promise<NmsAnswer>;

export interface NmsOptions {
  /** For example https://api-nms.aim.faa.gov, without a path. */
  baseUrl: string;
  /** Default: `baseUrl` + /v1/auth/token. */
  tokenUrl?: string | undefined;
  clientId: string;
  clientSecret: string;
  transport: NmsTransport;
  now: () => number;
  /** Between two requests; the service allows one a second. */
  wait?: (ms: number) => Promise<unknown>;
  maxAnswerBytes?: number;
}

const tokenAnswerSchema = z.object({
  access_token: z.string().min(1),
  // The service sends this number as text.
  expires_in: z.coerce.number().positive().catch(600),
});

const spacingMs = 1_050;
const longestDeltaMs = 23 * 3_600_000;

/** A delta goes back at most a day; after a longer gap everything is loaded again. */
export const needsInitialLoad = (lastRun: Date | null, now: Date): boolean =>
  lastRun === null || now.getTime() - lastRun.getTime() > longestDeltaMs;

const collect = async (answer: NmsAnswer, maxBytes: number, shown: string): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body) {
    size += chunk.length;
    if (size > maxBytes) throw new SourceError('TOO_LARGE', `${shown} sends more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** Failures of the connection, also in the middle of a body, as `SourceError`. */
const guarded = async <T>(shown: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceError) throw error;
    const name = error instanceof Error ? error.name : '';
    const cause = { cause: error };
    if (name === 'AbortError')
      throw new SourceError('ABORTED', `The request to ${shown} was aborted.`, cause);
    if (name === 'TimeoutError') throw new SourceError('TIMEOUT', `${shown} did not answer in time.`, cause);
    const text = `${shown} cannot be reached or dropped the connection: ${oneLineOf(error)}`;
    throw new SourceError('CONNECTION', text, cause);
  }
};

/** An unread body would keep its connection open. */
const discard = (answer: NmsAnswer): Promise<unknown> =>
  answer.body[Symbol.asyncIterator]().return?.() ?? Promise.resolve();

/** The signed file is gzip, regardless of its headers. */
const unpacked = async function* (body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  const first = await iterator.next();
  const whole = async function* () {
    if (!first.done) yield first.value;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  };
  if (first.done || first.value[0] !== 0x1f || first.value[1] !== 0x8b) {
    yield* whole();
    return;
  }
  const source = Readable.from(whole());
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  try {
    yield* source.pipe(gunzip) as AsyncIterable<Uint8Array>;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code.startsWith('Z_'))
      throw new SourceError('TRUNCATED', 'The initial load is damaged or truncated.', { cause: error });
    throw error;
  } finally {
    source.destroy();
    gunzip.destroy();
  }
};

/**
 * Client of the FAA's NOTAM service: OAuth2 client credentials, changes as GeoJSON, the initial load as AIXM
 * read while it arrives. Every failure is a `SourceError`; none contains secrets.
 */
export const createNmsClient = (options: NmsOptions) => {
  const { baseUrl, transport, now, wait = sleep, maxAnswerBytes = 64_000_000 } = options;
  const base = baseUrl.replace(/\/+$/, '');
  let token: { value: string; until: number } | null = null;
  let last = -Infinity;

  const send = async (address: string, request: NmsRequest): Promise<NmsAnswer> => {
    const pause = last + spacingMs - now();
    if (pause > 0) await wait(pause);
    last = now();
    return guarded(shownAddress(address), () => transport(address, request));
  };

  const refuse = async (answer: NmsAnswer, shown: string): Promise<never> => {
    await discard(answer);
    const { status } = answer;
    const retryAfterSeconds = retryAfterOf(answer.headers['retry-after'], now());
    if (status === 429)
      throw new SourceError('RATE_LIMITED', `${shown} requested a pause of ${retryAfterSeconds} s (429).`, {
        retryAfterSeconds,
      });
    if (status === 404) throw new SourceError('NOT_FOUND', `${shown} was not found (404).`);
    if (status >= 300 && status < 400) throw new SourceError('REDIRECT', `${shown} redirects (${status}).`);
    throw new SourceError('STATUS', `${shown} answered with status ${status}.`);
  };

  const fetchToken = async (): Promise<string> => {
    const address = options.tokenUrl ?? `${base}/v1/auth/token`;
    const shown = shownAddress(address);
    const basic = Buffer.from(`${options.clientId}:${options.clientSecret}`).toString('base64');
    const answer = await send(address, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, accept: 'application/json' },
      form: { grant_type: 'client_credentials' },
    });
    if (answer.status !== 200) return refuse(answer, shown);
    const text = await guarded(shown, () => collect(answer, 100_000, shown));
    try {
      const read = tokenAnswerSchema.parse(JSON.parse(text));
      token = { value: read.access_token, until: now() + (read.expires_in - 60) * 1000 };
      return read.access_token;
    } catch (error) {
      throw new SourceError('CORRUPT', `${shown} returned no access token.`, { cause: error });
    }
  };

  /** A refused token is replaced once: the service may have revoked it early. */
  const get = async (address: string, format: 'GEOJSON' | 'AIXM'): Promise<NmsAnswer> => {
    for (let attempt = 0; ; attempt++) {
      const value = token && token.until > now() ? token.value : await fetchToken();
      const headers = { authorization: `Bearer ${value}`, nmsResponseFormat: format };
      const answer = await send(address, { method: 'GET', headers });
      if (answer.status !== 401 || attempt > 0) return answer;
      await discard(answer);
      token = null;
    }
  };

  return {
    /** NOTAM changed since then, including cancelled ones. At most 24 h back. */
    async delta(since: Date): Promise<NotamBatch> {
      const address = `${base}/nmsapi/v1/notams?lastUpdatedDate=${encodeURIComponent(since.toISOString())}`;
      const shown = shownAddress(address);
      const answer = await get(address, 'GEOJSON');
      if (answer.status !== 200) return refuse(answer, shown);
      return parseNotamGeoJson(await guarded(shown, () => collect(answer, maxAnswerBytes, shown)));
    },

    /** Everything in force: the service redirects to a signed file, which gets no token. */
    async initialLoad(): Promise<NotamBatch> {
      const address = `${base}/nmsapi/v1/notams/il?allowRedirect=true`;
      const answer = await get(address, 'AIXM');
      const target = answer.headers['location'];
      const shown = shownAddress(address);
      if (answer.status === 200) return guarded(shown, () => parseAixm(unpacked(answer.body)));
      if (answer.status < 300 || answer.status >= 400 || target === undefined) return refuse(answer, shown);
      await discard(answer);
      const signed = new URL(target, address).href;
      const file = await send(signed, { method: 'GET', headers: {} });
      if (file.status !== 200) return refuse(file, shownAddress(signed));
      return guarded(shownAddress(signed), () => parseAixm(unpacked(file.body)));
    },
  };
};
