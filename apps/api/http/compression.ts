/** Compresses answers for clients that accept it. Most do, and it costs more than computing most answers. */
import { Readable, pipeline } from 'node:stream';
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
import type { Middleware } from 'koa';

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
const optionsFor = (bytes: number): ZlibOptions & BrotliOptions => ({
  level: bytes <= maxThorough ? 6 : 1,
  params: {
    [constants.BROTLI_PARAM_QUALITY]: bytes > maxAtOnce && bytes <= maxThorough ? 4 : 1,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
    [constants.BROTLI_PARAM_LGWIN]: Math.min(
      constants.BROTLI_DEFAULT_WINDOW,
      Math.max(constants.BROTLI_MIN_WINDOW_BITS, Math.ceil(Math.log2(bytes + 16))),
    ),
  },
  chunkSize: Math.min(262_144, Math.max(1_024, bytes)),
});

const coders = {
  br: { atOnce: brotliCompressSync, inTurn: promisify(brotliCompress), stream: createBrotliCompress },
  gzip: { atOnce: gzipSync, inTurn: promisify(gzip), stream: createGzip },
} as const;

/** Streamed answers are long. */
const streamOptions = optionsFor(maxThorough + 1);

/** Texts only, and none that may be read in ranges, whose ETag identifies the plain bytes. */
export const compressed: Middleware = async (ctx, next) => {
  ctx.vary('Accept-Encoding');
  await next();
  const accepted = ctx.req.headers['accept-encoding'];
  const { body, response } = ctx;
  const isText = response.is('text/*', 'json', '+json', 'xml', '+xml');
  if (accepted === undefined || !body || !isText || ctx.method === 'HEAD') return;
  if (ctx.respond === false || response.headers['accept-ranges'] !== undefined) return;
  const encoding = chosenEncoding(accepted);
  if (encoding === 'identity') return;
  const { atOnce, inTurn, stream } = coders[encoding];
  if (body instanceof Readable) {
    // An error reaches the response, which then ends without its last chunk.
    ctx.body = pipeline(body, stream(streamOptions), () => undefined);
  } else {
    const bytes = Buffer.isBuffer(body)
      ? body
      : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    if (bytes.length < leastCompressedBytes) return;
    ctx.body = await (bytes.length > maxAtOnce ? inTurn : atOnce)(bytes, optionsFor(bytes.length));
  }
  ctx.set('Content-Encoding', encoding);
};
