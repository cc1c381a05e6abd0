/** JSON bodies: counted and given room before they are read, scanned before they are parsed. */
import { Transform } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { koaBody } from 'koa-body';
import type { Context as KoaContext } from 'koa';
import type { Body, Call } from '../call.ts';
import { commonError } from '../errors.ts';
import type { ApiError } from '../errors.ts';
import { clientOf, countBytes } from '../stages/limits.ts';
import { createIntake } from './intake.ts';
import { assertShallow, createJsonScan } from './json-bounds.ts';
import { notAnObject, readScanned, readSmall } from './json-announced.ts';
import { maxLeftoverBytes } from './leftover.ts';

/** Anyone may send a body up to this size; larger ones are counted by the byte, and scanned. */
const freeBytes = 65_536;
/** Room for larger bodies in memory, all at the same time. */
const knownClients = { maxBytes: 67_108_864, maxShareBytes: 16_777_216 };
const anonymousClients = { maxBytes: 16_777_216, maxShareBytes: 8_388_608 };

const encodingOf = (ctx: KoaContext): string => ctx.get('Content-Encoding') || 'identity';

/** Content-Length, or null when the size is only known while reading. */
const announcedBytes = (ctx: KoaContext): number | null =>
  encodingOf(ctx) === 'identity' ? (ctx.request.length ?? null) : null;

const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createUnzip],
  ['deflate', createUnzip],
  ['br', createBrotliDecompress],
]);

const scanStream = (): Transform => {
  const scan = createJsonScan();
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      try {
        scan(chunk);
        done(null, chunk);
      } catch (error) {
        done(error as ApiError);
      }
    },
  });
};

/** The same request, its body decoded and scanned on the way to the parser. An encoding that is unknown stays. */
const scanned = (ctx: KoaContext): KoaContext => {
  const encoding = encodingOf(ctx);
  const decode = decoders.get(encoding);
  if (!decode && encoding !== 'identity') return ctx;
  const body = scanStream();
  const last = decode ? decode().once('error', (error) => body.destroy(error)) : body;
  if (last !== body) last.pipe(body).once('close', () => last.destroy());
  // Unlike `pipeline`, this leaves the request open, so that the client sees the answer to a refused body.
  ctx.req.once('error', (error) => body.destroy(error)).pipe(last);
  const headers = decode ? {} : ctx.req.headers;
  return Object.create(ctx, { req: { value: Object.assign(body, { headers }) } }) as KoaContext;
};

export type JsonReader = (ctx: KoaContext, call: Call) => Promise<Body>;

/** Bytes, with and without a valid token. */
export interface BodyBounds {
  known: number;
  anonymous: number;
}

export const createJsonReader = (bounds: BodyBounds): JsonReader => {
  const kinds = {
    text: false,
    urlencoded: false,
    json: true,
    jsonStrict: true,
    includeUnparsed: true,
  } as const;
  const readKnown = koaBody({ ...kinds, jsonLimit: bounds.known });
  const readFree = koaBody({ ...kinds, jsonLimit: freeBytes });
  const rooms = { known: createIntake(knownClients), anonymous: createIntake(anonymousClients) };

  const readAnnounced = async (ctx: KoaContext, call: Call, announced: number): Promise<Body> => {
    const kind = call.claims ? 'known' : 'anonymous';
    await countBytes(call, Math.min(announced, maxLeftoverBytes));
    if (announced > bounds[kind])
      throw commonError('PAYLOAD_TOO_LARGE', { message: `A body may have at most ${bounds[kind]} bytes.` });
    const leave = rooms[kind](clientOf(call), announced);
    try {
      const body = await readScanned(ctx.req, announced);
      // Other calls take their turns between parsing and what is done with the value.
      await setImmediate();
      return body;
    } finally {
      leave();
    }
  };

  /** Of a user, in an encoding or in chunks: its size is known at its end. */
  const readStreamed = async (ctx: KoaContext, call: Call): Promise<void> => {
    const leave = rooms.known(clientOf(call), bounds.known);
    const body = scanned(ctx);
    try {
      await readKnown(body, async () => {});
      await setImmediate();
    } finally {
      // A decoder that was left in the middle holds memory.
      if (body !== ctx) body.req.destroy();
      leave();
    }
  };

  return async (ctx, call) => {
    const announced = announcedBytes(ctx);
    if (announced !== null)
      return announced <= freeBytes ? readSmall(ctx.req, announced) : readAnnounced(ctx, call, announced);
    const isFree = !call.claims;
    await (isFree ? readFree(ctx, async () => {}) : readStreamed(ctx, call));
    const parsed: unknown = ctx.request.body;
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw notAnObject();
    if (isFree) assertShallow(parsed);
    const text = ctx.request.rawBody ?? '';
    const bytes = Buffer.byteLength(text);
    if (bytes > freeBytes) await countBytes(call, bytes);
    return { fields: parsed as Record<string, unknown>, text, bytes };
  };
};
