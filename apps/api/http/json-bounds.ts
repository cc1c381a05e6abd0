/**
 * What a JSON text may contain. Parsing takes time by values, containers, and names and short texts that differ, which
 * the engine looks up among all that it knows: without bounds, 4 MB of text hold the thread for 300 ms.
 */
import { randomInt } from 'node:crypto';
import { commonError } from '../errors.ts';

const maxDepth = 64;
/** In values such as numbers; the engine reads as much in 50 ms. */
const maxCost = 400_000;
/** What these cost in addition: the sequence of names with which an object begins is a separate class to the engine. */
const costs = { container: 1, differentText: 3, differentNames: 8 } as const;
/** The engine looks up no longer texts. */
const shortBytes = 10;

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;
const colon = 0x3a;
const comma = 0x2c;
/** `[` and `{`, `]` and `}` differ in a single bit from each other. */
const opening = 0x7b;
const closing = 0x7d;
const braces = 0x20;

/** Texts are distinguished by a hash that a client cannot predict. */
const hashFactor = randomInt(2 ** 30) * 2 + 1;

const hashOf = (bytes: Uint8Array, from: number, to: number): number => {
  let hash = 0;
  for (let at = from; at < to; at += 1) {
    hash = Math.imul(hash ^ (bytes[at] as number), hashFactor);
    // Without this one factor in fifty takes too many texts for others.
    hash ^= hash >>> 15;
  }
  return hash;
};

/** Where the string that begins here has its closing quote, or the length. */
const endOfString = (bytes: Uint8Array, from: number): number => {
  let at = from;
  for (; at < bytes.length && bytes[at] !== quote; at += 1) if (bytes[at] === backslash) at += 1;
  return Math.min(at, bytes.length);
};

const afterSpace = (bytes: Uint8Array, from: number): number => {
  let at = from;
  while (at < bytes.length && (bytes[at] as number) <= space) at += 1;
  return at;
};

/** Says whether it is the first time for a hash; a few of very many are taken for others. */
const createSeen = (size: number): ((hash: number) => boolean) => {
  const bits = Math.min(20, 32 - Math.clz32(size));
  const seen = new Uint8Array((1 << bits) / 8 + 1);
  return (hash) => {
    const place = (hash ^ (hash >>> 15)) & ((1 << bits) - 1);
    const mask = 1 << (place & 7);
    const isNew = ((seen[place >>> 3] as number) & mask) === 0;
    if (isNew) (seen[place >>> 3] as number) |= mask;
    return isNew;
  };
};

/**
 * Throws JSON_TOO_DEEP or PAYLOAD_TOO_LARGE where the text exceeds a bound; whether it is JSON at all is for the parser
 * to say.
 */
export const assertBounded = (bytes: Uint8Array): void => {
  const isNew = createSeen(bytes.length);
  /** Hash of the names so far, of each container that is open. */
  const namesAt = new Int32Array(maxDepth + 2);
  let depth = 0;
  let cost = 1;
  /** The container that was opened last has no child yet. */
  let isEmpty = false;
  const count = (more: number): void => {
    cost += more;
    if (cost <= maxCost) return;
    const message = 'The body contains too many values, or too many that differ.';
    throw commonError('PAYLOAD_TOO_LARGE', { message });
  };
  const countChild = (): void => {
    count(1);
    if (depth < maxDepth) return;
    throw commonError('JSON_TOO_DEEP', { message: `The body is nested deeper than ${maxDepth} levels.` });
  };
  const countString = (from: number, to: number, isName: boolean): void => {
    if (isName) {
      const names = Math.imul((namesAt[depth] as number) ^ hashOf(bytes, from, to), hashFactor);
      namesAt[depth] = names;
      if (isNew(names)) count(costs.differentNames);
    } else if (to - from <= shortBytes && isNew(hashOf(bytes, from, to))) count(costs.differentText);
  };
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte <= space) continue;
    const bracket = byte | braces;
    if (isEmpty && bracket !== closing) countChild();
    isEmpty = bracket === opening;
    if (isEmpty) {
      count(costs.container);
      depth += 1;
      namesAt[depth] = 0;
    } else if (bracket === closing) depth = Math.max(0, depth - 1);
    else if (byte === comma) countChild();
    else if (byte === quote) {
      const end = endOfString(bytes, at + 1);
      const next = afterSpace(bytes, end + 1);
      const isName = bytes[next] === colon;
      countString(at + 1, end, isName);
      at = isName ? next : next - 1;
    }
  }
};
