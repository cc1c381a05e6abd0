/**
 * What a JSON text may contain. Parsing takes time by values, nesting and differently built objects: without bounds,
 * 4 MB of text hold the thread for 300 ms.
 */
import { randomInt } from 'node:crypto';
import { commonError } from '../errors.ts';
import type { ApiError } from '../errors.ts';

const maxDepth = 64;
const maxValues = 400_000;
/** Texts that are values, which the engine looks up among all that it knows, together with the shapes. */
const maxTexts = 200_000;
/** Each sequence of names with which an object begins is a separate hidden class to the engine. */
const maxShapes = 100_000;

const tooDeep = (): ApiError =>
  commonError('JSON_TOO_DEEP', { message: `The body is nested deeper than ${maxDepth} levels.` });
const tooMany = (what: string): ApiError =>
  commonError('PAYLOAD_TOO_LARGE', { message: `The body contains too many ${what}.` });

/** For a parsed value, which comes from a text too short to be costly. Walks without recursion itself. */
export const assertShallow = (value: unknown): void => {
  const stack: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
  let values = 0;
  for (let item = stack.pop(); item; item = stack.pop()) {
    values += 1;
    if (item.depth > maxDepth) throw tooDeep();
    if (values > maxValues) throw tooMany('values');
    if (typeof item.value !== 'object' || item.value === null) continue;
    for (const child of Object.values(item.value)) stack.push({ value: child, depth: item.depth + 1 });
  }
};

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;

/** Sequences of names are distinguished by a hash that a client cannot predict. */
const hashFactor = randomInt(2 ** 30) * 2 + 1;

/**
 * For a long text, piece by piece before it is parsed. Throws where the text exceeds a bound; whether it is JSON at all
 * is for the parser to say.
 */
export const createJsonScan = (): ((bytes: Uint8Array) => void) => {
  const shapes = new Set<number>();
  /** Hash of the names so far, of each container that is open. */
  const shapeAt = new Int32Array(maxDepth + 1);
  let depth = 0;
  let values = 1;
  let texts = 0;
  let hash = 0;
  let isInString = false;
  let isEscaped = false;
  /** The container that was opened last has no child yet. */
  let isEmpty = false;

  const countChild = () => {
    values += 1;
    if (depth >= maxDepth) throw tooDeep();
    if (values > maxValues) throw tooMany('values');
  };
  const countText = () => {
    texts += 1;
    if (texts + shapes.size > maxTexts) throw tooMany('texts');
  };
  /** What was counted as a text is the name of a member. */
  const countName = () => {
    texts -= 1;
    const shape = Math.imul((shapeAt[depth] ?? 0) ^ hash, hashFactor);
    shapeAt[depth] = shape;
    if (shapes.add(shape).size > maxShapes) throw tooMany('different names');
  };
  /** Takes a byte between strings. */
  const scanStructure = (byte: number) => {
    const isClosing = byte === 0x5d || byte === 0x7d;
    if (isEmpty && !isClosing) countChild();
    isEmpty = byte === 0x5b || byte === 0x7b;
    if (isEmpty) {
      depth += 1;
      shapeAt[depth] = 0;
    } else if (isClosing) depth -= 1;
    else if (byte === 0x2c) countChild();
    else if (byte === 0x3a) countName();
  };
  /** Takes what is inside a string from here, and its closing quote if it comes. Returns where the rest begins. */
  const scanString = (bytes: Uint8Array, from: number): number => {
    // In variables of this function, which are much faster in a loop than those of the scan.
    let hashed = hash;
    let isAfterBackslash = isEscaped;
    let at = from;
    while (at < bytes.length) {
      const byte = bytes[at] as number;
      at += 1;
      hashed = Math.imul(hashed ^ byte, hashFactor);
      if (isAfterBackslash) isAfterBackslash = false;
      else if (byte === backslash) isAfterBackslash = true;
      else if (byte === quote) {
        isInString = false;
        break;
      }
    }
    isEscaped = isAfterBackslash;
    hash = hashed;
    return at;
  };
  return (bytes) => {
    for (let at = 0; at < bytes.length;) {
      if (isInString) at = scanString(bytes, at);
      else {
        const byte = bytes[at] as number;
        at += 1;
        if (byte === quote) {
          isInString = true;
          hash = 0;
          countText();
        }
        if (byte > space) scanStructure(byte);
      }
    }
  };
};
