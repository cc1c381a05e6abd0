/** JSON bodies that announce their length, as nearly all do: read without any stream in between. */
import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Body } from '../call.ts';
import { commonError } from '../errors.ts';
import type { ApiError } from '../errors.ts';
import type { Place } from './intake.ts';
import { assertShallow, createJsonScan } from './json-bounds.ts';
import { watchPace } from './pace.ts';

export const notAnObject = (): ApiError =>
  commonError('INVALID_JSON', { message: 'The body must be a JSON object.' });

/**
 * The whole body as text; Node's parser sees to its length. `take` gets each piece as it comes. Rejects with what `take`
 * throws, leaving the rest unread, and when the client goes away.
 */
const readText = (request: IncomingMessage, take: (bytes: Buffer) => void): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let isRead = false;
    const gone = () => {
      // Every request is closed at last, and to create an error costs as much as to read a small body.
      if (!isRead) fail(new Error('the client went away'));
    };
    const receive = (chunk: Buffer): void => {
      try {
        take(chunk);
        chunks.push(chunk);
      } catch (error) {
        fail(error);
      }
    };
    const fail = (error: unknown): void => {
      request.off('data', receive).pause();
      endWatch?.();
      reject(error);
    };
    // Nothing is awaited of a body that has arrived with its head.
    const endWatch = request.complete ? null : watchPace(request, fail);
    request.on('data', receive);
    request.once('end', () => {
      isRead = true;
      endWatch?.();
      const [first] = chunks;
      resolve((chunks.length === 1 && first ? first : Buffer.concat(chunks)).toString('utf8'));
    });
    request.once('error', fail);
    request.once('close', gone);
    if (request.destroyed) gone();
  });

const byteOrderMark = 0xfe_ff;

const parsed = (text: string): unknown => {
  // Nothing sent is an empty object, and the query is missing.
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw commonError('INVALID_JSON');
  }
};

const bodyOf = (sent: string, bytes: number): Body => {
  const text = sent.charCodeAt(0) === byteOrderMark ? sent.slice(1) : sent;
  const fields = parsed(text);
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) throw notAnObject();
  return { fields: fields as Record<string, unknown>, text, bytes };
};

/** A body that is too small to be costly. Throws INVALID_JSON, or PAYLOAD_TOO_LARGE for too many values. */
export const readSmall = async (request: IncomingMessage, bytes: number): Promise<Body> => {
  const body = bodyOf(await readText(request, () => undefined), bytes);
  assertShallow(body.fields);
  return body;
};

/** The same for a body of any size: it takes room and is scanned as it comes, before it is parsed. */
export const readScanned = async (
  request: IncomingMessage,
  bytes: number,
  { take }: Place,
): Promise<Body> => {
  const scan = createJsonScan();
  const text = await readText(request, (chunk) => {
    take(chunk.length);
    scan(chunk);
  });
  const body = bodyOf(text, bytes);
  // Parsing takes up to 100 ms, and so may what follows: other calls take their turns in between.
  await setImmediate();
  return body;
};
