/** JSON bodies: limited and counted as they come in, bounded before they are parsed. */
import type { Readable, Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import type { Context as KoaContext } from 'koa';
import { jsonFault, maxExplainedBytes } from '#domain/text/json-fault.ts';
import type { Body, Call, Waiting } from '../call.ts';
import { ApiError, commonError } from '../errors.ts';
import type { Registry } from '../registry.ts';
import { authenticate } from '../stages/authenticate.ts';
import { bodyTooLarge, defaultMaxBodyBytes, maxBodyBytesOf } from '../stages/body-size.ts';
import { clientOf, countBytes } from '../stages/limits.ts';
import { byQuery, peek } from '../stages/resolve.ts';
import type { Naming } from '../stages/resolve.ts';
import { freeMemory, takeMemory } from './in-flight.ts';
import { assertBounded } from './json-bounds.ts';
import { utf8Text } from './utf8.ts';

/** Anyone may send as much; more is limited by the operation, counted by the byte, and takes memory. */
const freeBytes = 65_536;
/** Larger bodies are parsed one at a time, and leave half of the time to other calls. */
const quickBytes = 262_144;

const decoders = new Map<string, () => Transform>([
  ['gzip', createUnzip],
  ['x-gzip', createUnzip],
  ['deflate', createUnzip],
  ['br', createBrotliDecompress],
]);

/** The body, decoded (RFC 9110, 8.4). */
const sourceOf = (ctx: KoaContext): Readable => {
  const names = ctx.get('Content-Encoding').toLowerCase().split(',');
  const [name, ...others] = names.map((each) => each.trim()).filter((each) => !/^(?:identity)?$/.test(each));
  if (name === undefined) return ctx.req;
  const decoder = others.length === 0 ? decoders.get(name)?.() : undefined;
  if (!decoder) {
    const message = 'This Content-Encoding is not supported. Send identity, gzip, deflate or br.';
    throw commonError('UNSUPPORTED_MEDIA_TYPE', { message });
  }
  // The decoder would wait for the rest of a body that was broken off.
  ctx.req.once('close', () => ctx.req.complete || decoder.destroy());
  return ctx.req.pipe(decoder);
};

/** The bytes of a stream. `admit` sees what has arrived, and throws to leave the rest unread. */
export const received = async (
  source: Readable,
  admit: (bytes: number, chunk: Buffer, chunks: readonly Buffer[]) => Waiting,
): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A request stays open, so that its client sees the answer.
  const isRequest = 'complete' in source;
  for await (const chunk of source.iterator({ destroyOnReturn: !isRequest }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    chunks.push(chunk);
    await admit(bytes, chunk, chunks);
  }
  return Buffer.concat(chunks);
};

const wrongEncoding = 'the body is not what its Content-Encoding says, or it ends too early';

/** The query that a body names first. */
const namedFirst = (chunks: readonly Buffer[]): string | undefined =>
  /^[^{]{0,40}\{\s*"query"\s*:\s*"(\w+)"/.exec(Buffer.concat(chunks, 256).toString('latin1'))?.[1];

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

const bodyOf = (bytes: Buffer): Body => {
  assertBounded(bytes);
  const text = utf8Text(bytes);
  return { fields: parsed(text), text, bytes: bytes.length };
};

let lastTurn: Promise<unknown> = Promise.resolve();
let nextTurnAtMs = 0;

const largeBodyOf = async (bytes: Buffer): Promise<Body> => {
  lastTurn = lastTurn.then(() => sleep(nextTurnAtMs - performance.now()));
  await lastTurn;
  const beganMs = performance.now();
  try {
    return bodyOf(bytes);
  } finally {
    const endedMs = performance.now();
    nextTurnAtMs = endedMs + (endedMs - beganMs);
  }
};

export type JsonReader = (ctx: KoaContext, call: Call) => Promise<Body>;

/** Reads as much as the operation accepts, which the URL or the first bytes name. */
export const createJsonReader = (registry: Registry, naming: Naming = byQuery): JsonReader => {
  const maxBytes = maxBodyBytesOf(registry);

  /** Throws AUTH_REQUIRED where the operation would. */
  const limitOf = async (call: Call, chunks: readonly Buffer[]): Promise<number> => {
    call.body = { ...call.body, fields: { query: namedFirst(chunks) } };
    call.operation = peek(registry, naming.nameOf(call));
    if (call.operation === null) return call.claims ? maxBytes : freeBytes;
    if (call.operation.auth === 'jwt' && !call.claims) await authenticate(call.operation, call);
    return call.operation.maxBodyBytes ?? defaultMaxBodyBytes;
  };

  return async (ctx, call) => {
    const source = sourceOf(ctx);
    const announced = source === ctx.req ? (ctx.request.length ?? 0) : 0;
    const client = call.claims ? clientOf(call) : 'anonymous';
    let limit = freeBytes;
    let taken = 0;
    const admit = async (bytes: number, chunk: Buffer, chunks: readonly Buffer[]): Promise<void> => {
      if (bytes <= freeBytes) return;
      if (limit === freeBytes) limit = await limitOf(call, chunks);
      if (Math.max(bytes, announced) > limit) throw bodyTooLarge(call.operation, limit);
      await countBytes(call, bytes - taken);
      takeMemory(client, bytes - taken);
      taken = bytes;
    };
    try {
      const bytes = await received(source, admit);
      return bytes.length > quickBytes ? await largeBodyOf(bytes) : bodyOf(bytes);
    } catch (error) {
      if (error instanceof ApiError || !(error instanceof Error && 'code' in error)) throw error;
      // Of the decoder, or of a client that went away, which will not see it.
      throw commonError('INVALID_JSON', source === ctx.req ? {} : { hint: wrongEncoding });
    } finally {
      freeMemory(client, taken);
    }
  };
};
