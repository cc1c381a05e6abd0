/** Between Koa and the dispatcher: turns a request into a call, measures and traces it, and sends the response. */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from 'node:zlib';
import type { BrotliOptions, ZlibOptions } from 'node:zlib';
import type { Context as KoaContext, Middleware } from 'koa';
import type { JsonSource } from '#domain/text/json-text.ts';
import { requestServed } from '#platform/metrics/activities.ts';
import type { RequestServed } from '#platform/metrics/activities.ts';
import type { ApiRequest } from '../call.ts';
import type { ApiResponse, Dispatch } from '../dispatch.ts';
import { isV2 } from './headers.ts';
import type { Metrics } from './metrics.ts';
import type { Context } from '#data/context.ts';
import type { Registries, Registry } from '../registry.ts';
import type { Services } from '../services/services.ts';

/** Health checks would drown out other requests in traces. */
const unwatched: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** Publishes every request for tracing. */
export const traced: Middleware = (ctx, next) => {
  if (!requestServed.isWatched() || unwatched.has(ctx.path)) return next();
  const served: RequestServed = { method: ctx.method, headers: ctx.headers };
  ctx.state['served'] = served;
  return requestServed.run(served, async () => {
    await next();
    served.status = ctx.status;
    // Paths of /v2 have no parameters.
    const fixed = isV2(ctx.path) && ctx.status !== 404 ? ctx.path : undefined;
    served.route ??= (ctx['_matchedRoute'] as string | undefined) ?? fixed;
  });
};

/** Aborted when the connection ends before the response has. */
export const clientAbortOf = (response: ServerResponse): AbortSignal => {
  const controller = new AbortController();
  const end = () => controller.abort();
  if (response.destroyed || response.socket?.destroyed) end();
  else response.once('close', end);
  return controller.signal;
};

/** What the routes are made of. */
export interface RouteParts {
  context: Context;
  services: Services;
  registry: Registry;
  registries: Registries;
  dispatch: Dispatch;
  metrics: Metrics;
  isStopping: () => boolean;
}

/** Dispatches a request and sets the status and headers of the response. */
export const answered = async (
  { dispatch, metrics }: Pick<RouteParts, 'dispatch' | 'metrics'>,
  ctx: KoaContext,
  request: Pick<ApiRequest, 'body'> & Partial<ApiRequest>,
): Promise<ApiResponse> => {
  const started = performance.now();
  const { headers, ip, state } = ctx;
  const response = await dispatch({ headers, ip, requestId: state['requestId'] as string, ...request });
  const { operation, status, errorCode } = response;
  const served = state['served'] as RequestServed | undefined;
  if (served)
    Object.assign(served, {
      route: ctx.path,
      query: operation ?? undefined,
      errorCode: errorCode ?? undefined,
      logId: response.headers['X-SVC-Log-Id'],
    });
  ctx.status = status;
  ctx.set({ ...response.headers, 'Cache-Control': 'no-store' });
  metrics.observe(operation ?? '-', status, errorCode, (performance.now() - started) / 1_000);
  return response;
};

type Encoding = 'br' | 'gzip' | 'identity';

/** Preference of a client for an encoding (RFC 9110, 12.5.3); plain text comes last when not mentioned. */
const qualityOf = (accepted: string, encoding: Encoding): number => {
  const wanted = new Map(
    accepted.split(',').map((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
    }),
  );
  return wanted.get(encoding) ?? wanted.get('*') ?? (encoding === 'identity' ? 0.001 : 0);
};

/** The encoding that the client prefers, the first one if several rank equally. Plain text if it accepts none. */
const chosenEncoding = (accepted: string): Encoding => {
  const qualities = (['br', 'gzip', 'identity'] as const).map((encoding) => ({
    encoding,
    quality: qualityOf(accepted, encoding),
  }));
  const [best] = qualities.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  return best?.encoding ?? 'identity';
};

/** Smaller texts fit into one packet uncompressed. */
const leastCompressedBytes = 1_024;
/** Shorter texts are compressed synchronously: it takes less than 1 ms, a tenth of what a stream would. */
const maxAtOnce = 65_536;
/** Longer texts get a lower quality: for 4 MB a third to half of the time, for 10 to 40 % more bytes. */
const maxThorough = 1_000_000;

/**
 * Sized to the text: Brotli's default window allocates megabytes of tables, which cost up to ten times as much as a
 * small text itself. For small texts its quality 1 saves nearly as much as 4.
 */
const optionsFor = (length: number): ZlibOptions & BrotliOptions => ({
  level: length <= maxThorough ? 6 : 1,
  params: {
    [constants.BROTLI_PARAM_QUALITY]: length > maxAtOnce && length <= maxThorough ? 4 : 1,
    [constants.BROTLI_PARAM_SIZE_HINT]: length,
    [constants.BROTLI_PARAM_LGWIN]: Math.min(
      constants.BROTLI_DEFAULT_WINDOW,
      Math.max(constants.BROTLI_MIN_WINDOW_BITS, Math.ceil(Math.log2(length + 16))),
    ),
  },
  chunkSize: Math.min(262_144, Math.max(1_024, length)),
});

const coders = {
  br: { atOnce: brotliCompressSync, inTurn: promisify(brotliCompress), stream: createBrotliCompress },
  gzip: { atOnce: gzipSync, inTurn: promisify(gzip), stream: createGzip },
} as const;

const compressed = (text: string, encoding: Encoding): string | Buffer | Promise<Buffer> => {
  if (encoding === 'identity') return text;
  const { atOnce, inTurn } = coders[encoding];
  return (text.length > maxAtOnce ? inTurn : atOnce)(text, optionsFor(text.length));
};

const read = async function* read(parts: readonly (string | JsonSource)[]) {
  for (const part of parts)
    if (typeof part === 'string') yield Buffer.from(part);
    else yield* part.read();
};

/** A stream error closes the connection, so that no client takes a partial response for a complete one. */
const sendStream = async (
  ctx: KoaContext,
  encoding: Encoding,
  parts: ApiResponse['parts'],
  length: number,
) => {
  const plain = Readable.from(read(parts), { objectMode: false });
  const coder = encoding === 'identity' ? [] : [coders[encoding].stream(optionsFor(length))];
  ctx.respond = false;
  try {
    await pipeline([plain, ...coder, ctx.res]);
  } catch (error) {
    // A disconnected client is not an error.
    const isGone = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (!isGone) throw error;
  }
};

/** Most clients accept an encoding, and compression costs more than computing most answers. */
export const sendAnswer = async (ctx: KoaContext, { parts }: Pick<ApiResponse, 'parts'>): Promise<void> => {
  ctx.type = 'application/json';
  ctx.vary('Accept-Encoding');
  const accepted = ctx.req.headers['accept-encoding'];
  const length = parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : part.bytes), 0);
  const isPlain = accepted === undefined || length < leastCompressedBytes;
  const encoding = isPlain ? 'identity' : chosenEncoding(accepted);
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  const [text, ...more] = parts;
  if (more.length === 0 && typeof text === 'string') ctx.body = await compressed(text, encoding);
  else await sendStream(ctx, encoding, parts, length);
};
