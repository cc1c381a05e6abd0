/** Compresses answers in gzip, which all clients accept that accept any encoding. Brotli is no smaller at equal cost. */
import { Readable, pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip, gzipSync } from 'node:zlib';
import type { Middleware } from 'koa';

/** Smaller texts fit into one packet uncompressed. */
const leastCompressedBytes = 1_024;
/** Shorter texts are compressed synchronously: it takes less than 1 ms, a tenth of what a stream would. */
const maxAtOnce = 65_536;
const gzipAsync = promisify(gzip);
/** Half of the default's time for 10 % more bytes. */
const level = 4;

/** Texts only, and none that may be read in ranges, whose ETag identifies the plain bytes. */
export const compressed: Middleware = async (ctx, next) => {
  ctx.vary('Accept-Encoding');
  await next();
  const { body, response } = ctx;
  const isText = response.is('text/*', 'json', '+json', 'xml', '+xml');
  if (!body || !isText || ctx.method === 'HEAD') return;
  if (ctx.respond === false || response.headers['accept-ranges'] !== undefined) return;
  // Without the header any encoding would be allowed, but few of these clients can decompress.
  if (ctx.req.headers['accept-encoding'] === undefined) return;
  if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return;
  if (body instanceof Readable) {
    // An error reaches the response, which then ends without its last chunk.
    ctx.body = pipeline(body, createGzip({ level }), () => undefined);
  } else {
    const bytes = Buffer.isBuffer(body)
      ? body
      : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    if (bytes.length < leastCompressedBytes) return;
    ctx.body = bytes.length > maxAtOnce ? await gzipAsync(bytes, { level }) : gzipSync(bytes, { level });
  }
  ctx.set('Content-Encoding', 'gzip');
};
