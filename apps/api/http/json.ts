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
import type { Place } from './intake.ts';
import { createJsonScan } from './json-bounds.ts';
import { notAnObject, readScanned, readSmall } from './json-announced.ts';
import { maxLeftoverBytes } from './leftover.ts';
import { watchPace } from './pace.ts';

/** Anyone may send a body up to this size; larger ones are counted by the byte, and scanned. */
const freeBytes = 65_536;
/** Room for larger bodies in memory, all at the same time. */
const knownClients = { maxBytes: 67_108_864, maxShareBytes: 16_777_216 };
const anonymousClients = { maxBytes: 16_777_216, maxShareBytes: 8_388_608 };

/** Bodies of up to `freeBytes` need no room. */
const smallPlace: Place = { take: () => undefined, leave: () => undefined };

const encodingOf = (ctx: KoaContext): string => ctx.get('Content-Encoding') || 'identity';

/** Content-Length, or null when the size is only known while reading. */
const announcedBytes = (ctx: KoaContext): number | null =>
  encodingOf(ctx) === 'identity' ? (ctx.request.length ?? null) : null;

const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createUnzip],
  ['deflate', createUnzip],
  ['br', createBrotliDecompress],
]);

const scanStream = (take: Place['take']): Transform => {
  const scan = createJsonScan();
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      try {
        take(chunk.length);
        scan(chunk);
        done(null, chunk);
      } catch (error) {
        done(error as ApiError);
      }
    },
  });
};

/** The same request, its body decoded and scanned on the way to the parser. An encoding that is unknown stays. */
const scanned = (ctx: KoaContext, take: Place['take']): KoaContext => {
  const encoding = encodingOf(ctx);
  const decode = decoders.get(encoding);
  if (!decode && encoding !== 'identity') return ctx;
  const body = scanStream(take);
  const endWatch = watchPace(ctx.req, (error) => body.destroy(error));
  body.once('close', endWatch);
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
    const place = rooms[kind](clientOf(call), announced);
    try {
      const body = await readScanned(ctx.req, announced, place);
      // Other calls take their turns between parsing and what is done with the value.
      await setImmediate();
      return body;
    } finally {
      place.leave();
    }
  };

  /** In an encoding or in chunks: its size is known at its end. */
  const readStreamed = async (ctx: KoaContext, call: Call): Promise<void> => {
    const place = call.claims ? rooms.known(clientOf(call), bounds.known) : smallPlace;
    const body = scanned(ctx, place.take);
    try {
      await (call.claims ? readKnown : readFree)(body, async () => {});
      await setImmediate();
    } finally {
      // A decoder that was left in the middle holds memory.
      if (body !== ctx) body.req.destroy();
      place.leave();
    }
  };

  return async (ctx, call) => {
    const announced = announcedBytes(ctx);
    if (announced !== null)
      return announced <= freeBytes ? readSmall(ctx.req, announced) : readAnnounced(ctx, call, announced);
    await readStreamed(ctx, call);
    const parsed: unknown = ctx.request.body;
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw notAnObject();
    const text = ctx.request.rawBody ?? '';
    const bytes = Buffer.byteLength(text);
    if (bytes > freeBytes) await countBytes(call, bytes);
    return { fields: parsed as Record<string, unknown>, text, bytes };
  };
};
