import type { IncomingHttpHeaders } from 'node:http';
import { readFile, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Http, OpenAnswer } from '#platform/http.ts';
import type { Validator } from '#store/postgres/feeds/feeds.ts';
import { SourceError, refuseHtml, shownAddress } from '#domain/source-error.ts';
import { oneLineOf } from '#platform/errors.ts';
import { ungzip } from './unpack.ts';
import type { PlainResponse, StreamOptions } from 'got';
import { openAnswer } from '#platform/http.ts';

type Hosts = ReadonlySet<string> | 'any';

interface RedirectOptions {
  http: Http;
  /** Hosts of all configured sources. */
  hosts?: Hosts | undefined;
  method?: string | undefined;
}

const statuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Why a redirect is refused. Only requests without a body are redirected, within the same host or to one of the
 * configured sources, and never from https to http.
 */
const refusalOf = (
  from: URL,
  { headers: { location }, redirectUrls }: PlainResponse,
  { hosts = new Set(), method = 'GET' }: RedirectOptions,
): string | null => {
  if (redirectUrls.length > 0) return 'it redirects again';
  if (location === undefined || !URL.canParse(location, from.href)) return 'it names no address';
  const to = new URL(location, from);
  if (method !== 'GET') return 'only requests without a body are sent again';
  if (!/^https?:$/.test(to.protocol)) return 'it is not a web address';
  if (from.protocol === 'https:' && to.protocol !== 'https:') return 'it gives up encryption';
  if (to.hostname !== from.hostname && hosts !== 'any' && !hosts.has(to.hostname))
    return 'it is on another host';
  return null;
};

/** Opens an address or its redirect target. Credentials go only to their own host. */
const openMoved = async (
  address: string,
  options: RedirectOptions,
  request: StreamOptions,
): Promise<{ answer: OpenAnswer; movedTo: string | null }> => {
  const from = new URL(address);
  const followRedirect = (response: PlainResponse) => refusalOf(from, response, options) === null;
  const answer = await openAnswer(options.http, address, { ...request, followRedirect });
  const { statusCode, headers, redirectUrls } = answer.response;
  const movedTo = redirectUrls[0]?.href ?? null;
  const refusal = statuses.has(statusCode) ? refusalOf(from, answer.response, options) : null;
  const why = refusal ?? (movedTo !== null && statusCode >= 400 ? `it answers with ${statusCode}` : null);
  if (why === null) return { answer, movedTo };
  answer.stream.destroy();
  const target = movedTo ?? URL.parse(headers.location ?? '', from)?.href ?? 'elsewhere';
  throw new SourceError(
    'REDIRECT',
    `${shownAddress(address)} redirects to ${shownAddress(target)}: ${why}. The address has changed or requires a login.`,
  );
};

export interface FetchOptions {
  http: Http;
  signal: AbortSignal;
  /** Limit of the transferred body and, separately, of its unpacked size. */
  maxBytes: number;
  timeoutMs: number;
  /** Validator in the last stored answer, which makes the request conditional. */
  validator?: Validator | undefined;
  headers?: Record<string, string>;
  method?: 'GET' | 'POST';
  form?: Record<string, string>;
  /** "No content" (204) counts as an empty list. */
  allowEmpty?: boolean;
  /** Hosts to which redirects may lead; they get no credentials. */
  hosts?: Hosts;
}

export type Fetched =
  | { kind: 'notModified' }
  | {
      kind: 'data';
      name: string;
      bytes: Buffer;
      sentBytes: number;
      validator: Validator;
      /** New address announced by the source. */
      movedTo?: string;
    };

/** Seconds in a Retry-After header (number or date), limited to 1 s to 6 h; 60 if invalid. */
export const retryAfterOf = (value: string | undefined, now: number): number => {
  const seconds =
    value === undefined ? NaN : /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), 21_600) : 60;
};

const refuseStatus = (status: number, headers: IncomingHttpHeaders, shown: string) => {
  if (status === 200 || status === 206) return;
  const retryAfter = headers['retry-after'];
  const pause = { retryAfterSeconds: retryAfterOf(retryAfter, Date.now()) };
  if (status === 429)
    throw new SourceError(
      'RATE_LIMITED',
      `${shown} requested a pause of ${pause.retryAfterSeconds} s (429).`,
      pause,
    );
  if (status === 503 && retryAfter !== undefined)
    throw new SourceError('STATUS', `${shown} is not available (503).`, pause);
  if (status === 404 || status === 410)
    throw new SourceError('NOT_FOUND', `${shown} was not found (${status}).`);
  throw new SourceError('STATUS', `${shown} answered with status ${status}.`);
};

const classify = (error: unknown, shown: string): Error => {
  if (error instanceof SourceError) return error;
  const name = error instanceof Error ? error.name : '';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (name === 'AbortError' || code === 'ERR_ABORTED')
    return new SourceError('ABORTED', `The request to ${shown} was aborted.`, { cause: error });
  if (name === 'TimeoutError' || code === 'ETIMEDOUT')
    return new SourceError('TIMEOUT', `${shown} did not answer in time.`, { cause: error });
  if (code.startsWith('Z_'))
    return new SourceError('TRUNCATED', `${shown} sent a compressed answer that is truncated.`, {
      cause: error,
    });
  const words = connectionWords[code];
  const why = words === undefined ? oneLineOf(error) : `${words} (${code})`;
  return new SourceError('CONNECTION', `${shown} cannot be reached or dropped the connection: ${why}`, {
    cause: error,
  });
};

const connectionWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'the name service does not answer',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
};

/** Reads the body; null if a conditional request finds it unchanged. */
const bodyOf = async (
  { response, stream }: OpenAnswer,
  { maxBytes, allowEmpty }: FetchOptions,
  shown: string,
): Promise<Buffer | null> => {
  if (response.statusCode === 304) return null;
  if (response.statusCode !== 204 || !allowEmpty) refuseStatus(response.statusCode, response.headers, shown);
  const announced = Number(response.headers['content-length'] ?? NaN);
  const total = Number.isFinite(announced) ? announced : null;
  const tooLarge = () => new SourceError('TOO_LARGE', `${shown} sends more than ${maxBytes} bytes.`);
  if (total !== null && total > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let received = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    received += chunk.length;
    if (received > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const fetchHttp = async (address: string, options: FetchOptions): Promise<Fetched> => {
  const shown = shownAddress(address);
  const { validator } = options;
  const conditional = {
    ...(validator?.etag === undefined ? {} : { 'if-none-match': validator.etag }),
    ...(validator?.lastModified === undefined ? {} : { 'if-modified-since': validator.lastModified }),
  };
  let answer: OpenAnswer | undefined;
  try {
    const opened = await openMoved(address, options, {
      method: options.method ?? 'GET',
      headers: { ...conditional, ...options.headers },
      timeout: { lookup: 3_000, connect: 5_000, request: options.timeoutMs },
      signal: options.signal,
      ...(options.form === undefined ? {} : { form: options.form }),
    });
    ({ answer } = opened);
    const body = await bodyOf(answer, options, shown);
    if (body === null) return { kind: 'notModified' };
    const bytes = await ungzip(body, options.maxBytes);
    refuseHtml(bytes.toString('latin1', 0, 500), shown);
    const { etag, 'last-modified': lastModified } = answer.response.headers;
    return {
      kind: 'data',
      name: basename(new URL(address).pathname) || 'data',
      bytes,
      sentBytes: body.length,
      validator: {
        ...(etag === undefined ? {} : { etag }),
        ...(lastModified === undefined ? {} : { lastModified }),
      },
      ...(opened.movedTo === null ? {} : { movedTo: opened.movedTo }),
    };
  } catch (error) {
    throw classify(error, shown);
  } finally {
    answer?.stream.destroy();
  }
};

const notThere = (path: string, error: unknown): SourceError =>
  new SourceError('NOT_FOUND', `${path} cannot be read: ${oneLineOf(error)}`, { cause: error });

const fetchFile = async (address: string, options: FetchOptions): Promise<Fetched> => {
  const path = fileURLToPath(address);
  try {
    const found = await stat(path);
    if (found.isDirectory())
      throw new SourceError('NOT_FOUND', `${path} is a folder; one file (plain or .gz) is expected.`);
    const { size, mtimeMs, mtime } = found;
    const etag = `"${size}-${Math.round(mtimeMs)}"`;
    if (options.validator?.etag === etag) return { kind: 'notModified' };
    if (size > options.maxBytes)
      throw new SourceError('TOO_LARGE', `${path} has more than ${options.maxBytes} bytes.`);
    const packed = await readFile(path);
    const bytes = await ungzip(packed, options.maxBytes);
    refuseHtml(bytes.toString('latin1', 0, 500), path);
    return {
      kind: 'data',
      name: basename(path),
      bytes,
      sentBytes: size,
      validator: { etag, lastModified: mtime.toUTCString() },
    };
  } catch (error) {
    throw error instanceof SourceError ? error : notThere(path, error);
  }
};

/** One GET (or POST) of an http(s): or file: address, unpacked when it is gzip. Throws `SourceError` only. */
export const fetchSource = (address: string, options: FetchOptions): Promise<Fetched> =>
  address.startsWith('file:') ? fetchFile(address, options) : fetchHttp(address, options);

const isFolder = async (address: string): Promise<boolean> => {
  if (!address.startsWith('file:')) return false;
  try {
    return (await stat(fileURLToPath(address))).isDirectory();
  } catch {
    // A missing file fails in the read below, with its name.
    return false;
  }
};

/**
 * Lists the files in a folder, sorted and without hidden ones, or the one file at any other address. Throws SourceError
 * for an empty folder.
 */
export const filesAt = async (address: string): Promise<{ name: string; address: string }[]> => {
  if (!(await isFolder(address)))
    return [{ name: decodeURIComponent(address.split('/').at(-1) ?? ''), address }];
  const folder = fileURLToPath(address);
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw notThere(folder, error);
  });
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => ({ name, address: pathToFileURL(join(folder, name)).href }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  if (files.length === 0) throw new SourceError('NOT_FOUND', `${shownAddress(address)} contains no file.`);
  return files;
};
