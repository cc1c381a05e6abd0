/** JSON bodies: limited and counted as they arrive, and checked for depth and size before parsing. */
import { isUtf8 } from 'node:buffer';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import type { Context as KoaContext } from 'koa';
import { jsonFault, maxExplainedBytes } from '#domain/text/json-fault.ts';
import { commonError, ApiError } from '../errors.ts';
import type { CommonCode } from '../errors.ts';
import type { Body, Call, Waiting } from '../call.ts';
import type { Registry } from '../registry.ts';
import { authenticate } from '../stages/authenticate.ts';
import { bodyTooLarge, defaultMaxBodyBytes, maxBodyBytesOf, clientOf, countBytes } from '../stages/limits.ts';
import { byQuery, peek } from '../stages/resolve.ts';
import type { Naming } from '../stages/resolve.ts';

const maxDepth = 64;
/** Limit for array entries and object members together. */
const maxValues = 400_000;
/** V8 keeps every distinct property name; this many block the event loop for 150 ms. */
const maxMembers = 200_000;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
/** `[` and `{` differ in one bit, as do `]` and `}`. */
const opening = 0x7b;
const closing = 0x7d;
const braces = 0x20;

/** Throws JSON_TOO_DEEP or PAYLOAD_TOO_LARGE; leaves JSON syntax to the parser. */
export const assertBounded = (bytes: Uint8Array): void => {
  let depth = 0;
  let values = 1;
  let members = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (isText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if (byte === comma) values += 1;
    else if (byte === colon) members += 1;
    else if ((byte | braces) === closing) depth -= 1;
    else if ((byte | braces) === opening) {
      values += 1;
      depth += 1;
      if (depth > maxDepth)
        throw commonError('JSON_TOO_DEEP', {
          message: `The body is nested deeper than ${maxDepth} levels.`,
        });
    }
    if (values > maxValues || members > maxMembers)
      throw commonError('PAYLOAD_TOO_LARGE', {
        message: `The body contains more than ${maxValues} values or ${maxMembers} members of objects.`,
      });
  }
};

/** Decodes UTF-8 without byte order mark. Throws on invalid bytes (RFC 8259, 8.1) instead of replacing them. */
export const utf8Text = (bytes: Buffer, what = 'The body', code: CommonCode = 'INVALID_JSON'): string => {
  if (isUtf8(bytes)) return bytes.toString('utf8').replace(/^\uFEFF/, '');
  throw commonError(code, {
    message: `${what} is not UTF-8.`,
    hint: 'encode text as UTF-8 before it is sent',
  });
};

const maxInFlightBytes = 33_554_432;
const maxShareBytes = 16_777_216;

const shares = new Map<string, number>();
let total = 0;

const add = (client: string, bytes: number): void => {
  total += bytes;
  const share = (shares.get(client) ?? 0) + bytes;
  if (share === 0) shares.delete(client);
  else shares.set(client, share);
};

/** Throws RATE_LIMITED for a client that exceeds its share, SERVICE_UNAVAILABLE when no memory is left. */
const takeMemory = (client: string, bytes: number): void => {
  const headers = { 'Retry-After': '1' };
  if ((shares.get(client) ?? 0) + bytes > maxShareBytes) throw commonError('RATE_LIMITED', { headers });
  if (total + bytes > maxInFlightBytes) throw commonError('SERVICE_UNAVAILABLE', { headers });
  add(client, bytes);
};

const freeMemory = (client: string, bytes: number): void => add(client, -bytes);

/**
 * Bodies up to this size are always read; larger ones must be allowed by the operation and count against byte and
 * memory limits.
 */
const freeBytes = 65_536;

const decoders = new Map<string, () => Transform>([
  ['gzip', createUnzip],
  ['x-gzip', createUnzip],
  ['deflate', createUnzip],
  ['br', createBrotliDecompress],
]);

/** The body with its content coding removed (RFC 9110, 8.4). */
const sourceOf = (ctx: KoaContext): Readable => {
  const names = ctx.get('Content-Encoding').toLowerCase().split(',');
  const [name, ...others] = names.map((each) => each.trim()).filter((each) => !/^(?:identity)?$/.test(each));
  if (name === undefined) return ctx.req;
  const decoder = others.length === 0 ? decoders.get(name)?.() : undefined;
  if (!decoder) {
    const message = 'This Content-Encoding is not supported. Send identity, gzip, deflate or br.';
    throw commonError('UNSUPPORTED_MEDIA_TYPE', { message });
  }
  // Otherwise the decoder would wait forever after an aborted request.
  ctx.req.once('close', () => ctx.req.complete || decoder.destroy());
  return ctx.req.pipe(decoder);
};

/** The bytes of a stream. `admit` is called with the bytes so far, and throws to leave the rest unread. */
export const received = async (
  source: Readable,
  admit: (bytes: number, chunk: Buffer, chunks: readonly Buffer[]) => Waiting,
): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // An aborted read must not destroy the request, so that its client receives the response.
  const isRequest = 'complete' in source;
  for await (const chunk of source.iterator({ destroyOnReturn: !isRequest }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    chunks.push(chunk);
    await admit(bytes, chunk, chunks);
  }
  return Buffer.concat(chunks);
};

const wrongEncoding = 'the body is not what its Content-Encoding says, or it ends too early';

/** The query named at the start of a body. */
const namedFirst = (chunks: readonly Buffer[]): string | undefined =>
  /^[^{]{0,40}\{\s*"query"\s*:\s*"(\w+)"/.exec(Buffer.concat(chunks, 256).toString('latin1'))?.[1];

const parsed = (text: string): Readonly<Record<string, unknown>> => {
  let value: unknown = {};
  try {
    // An empty body counts as an empty object; the error is then the missing query.
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

/** Reads as much as the operation accepts, which is named by the URL or the first bytes. */
export const createJsonReader = (registry: Registry, naming: Naming = byQuery) => {
  const maxBytes = maxBodyBytesOf(registry);

  /** Throws AUTH_REQUIRED if the operation would. */
  const limitOf = async (call: Call, chunks: readonly Buffer[]): Promise<number> => {
    call.body = { ...call.body, fields: { query: namedFirst(chunks) } };
    call.operation = peek(registry, naming.nameOf(call));
    if (call.operation === null) return call.claims ? maxBytes : freeBytes;
    if (call.operation.auth === 'jwt' && !call.claims) await authenticate(call.operation, call);
    return call.operation.maxBodyBytes ?? defaultMaxBodyBytes;
  };

  return async (ctx: KoaContext, call: Call): Promise<Body> => {
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
      return bodyOf(await received(source, admit));
    } catch (error) {
      if (error instanceof ApiError || !(error instanceof Error && 'code' in error)) throw error;
      // A decoder error, or a client that has disconnected and will not see the response.
      throw commonError('INVALID_JSON', source === ctx.req ? {} : { hint: wrongEncoding });
    } finally {
      freeMemory(client, taken);
    }
  };
};
