/** JSON bodies: counted and given room as they come in, bounded before they are parsed. */
import type { Readable, Transform } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import type { Context as KoaContext } from 'koa';
import { jsonFault, maxExplainedBytes } from '#domain/text/json-fault.ts';
import type { Body, Call } from '../call.ts';
import { commonError } from '../errors.ts';
import { clientOf, countBytes } from '../stages/limits.ts';
import { createIntake } from './intake.ts';
import type { Intake, Place } from './intake.ts';
import { assertBounded } from './json-bounds.ts';
import { maxLeftoverBytes } from './leftover.ts';
import { watchPace } from './pace.ts';

/** Anyone may send a body up to this size; larger ones are counted by the byte, and take room. */
const freeBytes = 65_536;
/** Up to this size a body is parsed at once, in 5 ms at most. */
const quickBytes = 262_144;
/** Room for larger bodies in memory, all at the same time. */
const knownClients = { maxBytes: 67_108_864, maxShareBytes: 16_777_216 };
const anonymousClients = { maxBytes: 16_777_216, maxShareBytes: 8_388_608 };

/** Bytes, with and without a valid token. */
export interface BodyBounds {
  known: number;
  anonymous: number;
}

export type JsonReader = (ctx: KoaContext, call: Call) => Promise<Body>;

const decoders = new Map<string, () => Transform | null>([
  ['identity', () => null],
  ['gzip', createUnzip],
  ['deflate', createUnzip],
  ['br', createBrotliDecompress],
]);

/** Null: the body is not encoded. */
const decoderOf = (ctx: KoaContext): Transform | null => {
  const create = decoders.get(ctx.get('Content-Encoding') || 'identity');
  if (create) return create();
  const message = 'This Content-Encoding is not supported. Send identity, gzip, deflate or br.';
  throw commonError('UNSUPPORTED_MEDIA_TYPE', { message });
};

/** Throws RATE_LIMITED, PAYLOAD_TOO_LARGE or SERVICE_UNAVAILABLE as soon as more comes than the client may send. */
const createMeter = (call: Call, enter: Intake, maxBytes: number, announced: number | null): Place => {
  const assertSize = (bytes: number): void => {
    if (bytes <= maxBytes) return;
    throw commonError('PAYLOAD_TOO_LARGE', { message: `A body may have at most ${maxBytes} bytes.` });
  };
  const isLarge = announced !== null && announced > freeBytes;
  if (isLarge) {
    countBytes(call, Math.min(announced, maxLeftoverBytes));
    assertSize(announced);
  }
  let place = isLarge ? enter(clientOf(call), announced) : null;
  let received = 0;
  let unpaid = 0;
  return {
    take: (bytes) => {
      received += bytes;
      unpaid += bytes;
      if (received <= freeBytes) return;
      if (announced === null) countBytes(call, unpaid);
      assertSize(received);
      place ??= enter(clientOf(call), maxBytes);
      place.take(unpaid);
      unpaid = 0;
    },
    leave: () => place?.leave(),
  };
};

/** Of all large bodies in one turn of the event loop, so that many that come in fast leave time for other calls. */
const turnBytes = 524_288;
let turnLeft = turnBytes;
let bodiesTurn: Promise<void> | null = null;

/** Counts what a large body has brought; null while more may be read in this turn. */
const turnAfter = (bytes: number): Promise<void> | null => {
  turnLeft -= bytes;
  bodiesTurn ??= nextTurn().then(() => {
    bodiesTurn = null;
    turnLeft = turnBytes;
  });
  return turnLeft > 0 ? null : bodiesTurn;
};

const wrongEncoding = 'the body is not what its Content-Encoding says, or it ends too early';

/** The body, decoded. Rejects with what `take` throws, leaving the rest unread, and when the client goes away. */
const readBytes = (ctx: KoaContext, decoder: Transform | null, take: Place['take']): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const request = ctx.req;
    const source: Readable = decoder ?? request;
    const chunks: Buffer[] = [];
    let bytes = 0;
    let isOver = false;
    const fail = (error: unknown): void => {
      if (isOver) return;
      isOver = true;
      endWatch?.();
      source.off('data', receive);
      // This leaves the request open, so that the client sees the answer to a refused body.
      request.unpipe().pause();
      decoder?.destroy();
      reject(error);
    };
    const receive = (chunk: Buffer): void => {
      try {
        take(chunk.length);
        chunks.push(chunk);
        bytes += chunk.length;
        const later = bytes > freeBytes ? turnAfter(chunk.length) : null;
        if (!later) return;
        source.pause();
        void later.then(() => isOver || source.resume());
      } catch (error) {
        fail(error);
      }
    };
    // What an encoding cannot be, and a client that went away, which will not see it.
    const broken = (): void => {
      if (!isOver) fail(commonError('INVALID_JSON', decoder ? { hint: wrongEncoding } : {}));
    };
    // Nothing is awaited of a body that has arrived with its head.
    const endWatch = request.complete ? null : watchPace(request, fail);
    source.on('data', receive);
    source.once('error', broken);
    source.once('end', () => {
      isOver = true;
      endWatch?.();
      const [first] = chunks;
      resolve(chunks.length === 1 && first ? first : Buffer.concat(chunks));
    });
    request.once('close', () => {
      if (!request.complete) broken();
    });
    if (request.destroyed) broken();
    else if (decoder) request.once('error', broken).pipe(decoder);
  });

const parsed = (text: string): Readonly<Record<string, unknown>> => {
  let value: unknown = {};
  try {
    // Nothing sent is an empty object, and the query is missing.
    if (text !== '') value = JSON.parse(text);
  } catch {
    throw commonError('INVALID_JSON', text.length <= maxExplainedBytes ? { hint: jsonFault(text) } : {});
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw commonError('INVALID_JSON', {
      message: 'The body must be a JSON object.',
      ...(typeof value === 'string' && value.trimStart().startsWith('{')
        ? { hint: 'the body is a text with JSON inside; it was made into JSON twice' }
        : {}),
    });
  return value as Record<string, unknown>;
};

const byteOrderMark = 0xfe_ff;

const textOf = (bytes: Buffer): string => {
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text;
};

/** Between the steps of several large bodies: time for a few small calls. */
const restMs = 10;

let lastTurn: Promise<void> = Promise.resolve();
let waiting = 0;

/** A turn of the event loop in which no other large body is scanned or parsed; a single one does not wait for it. */
const ownTurn = (): Promise<void> => {
  waiting += 1;
  lastTurn = lastTurn.then(async () => {
    await (waiting > 1 ? sleep(restMs) : nextTurn());
    waiting -= 1;
  });
  return lastTurn;
};

const readBody = async (bytes: Buffer): Promise<Body> => {
  const isQuick = bytes.length <= quickBytes;
  if (!isQuick) await ownTurn();
  assertBounded(bytes);
  if (!isQuick) await ownTurn();
  const text = textOf(bytes);
  const fields = parsed(text);
  if (!isQuick) await ownTurn();
  return { fields, text, bytes: bytes.length };
};

export const createJsonReader = (bounds: BodyBounds): JsonReader => {
  const intakes = { known: createIntake(knownClients), anonymous: createIntake(anonymousClients) };
  return async (ctx, call) => {
    const decoder = decoderOf(ctx);
    const announced = decoder ? null : (ctx.request.length ?? null);
    const kind = call.claims ? 'known' : 'anonymous';
    const { take, leave } = createMeter(call, intakes[kind], bounds[kind], announced);
    try {
      return await readBody(await readBytes(ctx, decoder, take));
    } finally {
      leave();
    }
  };
};
