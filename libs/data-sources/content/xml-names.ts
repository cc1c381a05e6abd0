/** Names, identifiers and namespaces of a document as numbers, so that hardly any of it becomes a string. */
import { randomInt } from 'node:crypto';

/** Random, so that a sender cannot choose names that meet in the table. */
const hashFactor = randomInt(2 ** 29) * 8 + 5;

/** Functions at the top of the files read and change these records: a closure for each document is optimised again for each. */
export interface Names {
  all: Uint8Array;
  /** Where each name begins, and where the next one will. */
  starts: Int32Array;
  hashes: Int32Array;
  /** By hash the number of a name + 1; half of them are free. */
  slots: Int32Array;
  count: number;
}

export const createNames = (): Names => ({
  all: new Uint8Array(4_096),
  starts: new Int32Array(512),
  hashes: new Int32Array(512),
  slots: new Int32Array(1_024),
  count: 0,
});

/** A copy of twice the length, or of more. */
export const grownBytes = (values: Uint8Array, least = 0): Uint8Array => {
  const copy = new Uint8Array(Math.max(values.length * 2, least));
  copy.set(values);
  return copy;
};
export const grownNumbers = (values: Int32Array, least = 0): Int32Array => {
  const copy = new Int32Array(Math.max(values.length * 2, least));
  copy.set(values);
  return copy;
};

export const lengthOf = ({ starts }: Names, id: number): number =>
  (starts[id + 1] as number) - (starts[id] as number);

/** True when the bytes at this place are the name. */
export const isNameAt = ({ all, starts }: Names, id: number, bytes: Uint8Array, from: number): boolean => {
  const start = starts[id] as number;
  const length = (starts[id + 1] as number) - start;
  for (let i = 0; i < length; i += 1) if (all[start + i] !== bytes[from + i]) return false;
  return true;
};

/** The slot where to begin; what differs in a few bits only goes to different places. */
const place = (hash: number, slots: Int32Array): number => {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  return (mixed ^ (mixed >>> 13)) & (slots.length - 1);
};

const makeSlots = (names: Names): void => {
  const { hashes, count } = names;
  const slots = new Int32Array(names.slots.length * 4);
  for (let id = 0; id < count; id += 1) {
    let slot = place(hashes[id] as number, slots);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = id + 1;
  }
  names.slots = slots;
};

const add = (names: Names, bytes: Uint8Array, from: number, length: number): number => {
  const { count } = names;
  const start = names.starts[count] as number;
  if (start + length > names.all.length) names.all = grownBytes(names.all, start + length);
  if (count + 2 > names.starts.length) {
    names.starts = grownNumbers(names.starts);
    names.hashes = grownNumbers(names.hashes);
  }
  const { all } = names;
  for (let i = 0; i < length; i += 1) all[start + i] = bytes[from + i] as number;
  names.starts[count + 1] = start + length;
  names.count = count + 1;
  return count;
};

/** The number of the name in these bytes, from 0 in the order of their first appearance. */
export const idOf = (names: Names, bytes: Uint8Array, from: number, to: number): number => {
  const length = to - from;
  let hash = length;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), hashFactor);
  const { slots, hashes } = names;
  let slot = place(hash, slots);
  for (; slots[slot] !== 0; slot = (slot + 1) & (slots.length - 1)) {
    const known = (slots[slot] as number) - 1;
    if (hashes[known] === hash && lengthOf(names, known) === length && isNameAt(names, known, bytes, from))
      return known;
  }
  const id = add(names, bytes, from, length);
  names.hashes[id] = hash;
  slots[slot] = id + 1;
  if (names.count * 2 > slots.length) makeSlots(names);
  return id;
};

const encoder = new TextEncoder();

export const idOfText = (names: Names, text: string): number => {
  const bytes = encoder.encode(text);
  return idOf(names, bytes, 0, bytes.length);
};

export const nameOf = ({ all, starts }: Names, id: number): string =>
  Buffer.from(all.subarray(starts[id], starts[id + 1])).toString();

/** True when the name begins with these letters, given in lower case, in any case. */
export const beginsWith = (names: Names, id: number, letters: Uint8Array): boolean => {
  const { all } = names;
  const start = names.starts[id] as number;
  if (letters.length > lengthOf(names, id)) return false;
  for (let i = 0; i < letters.length; i += 1)
    if (((all[start + i] as number) | 32) !== letters[i]) return false;
  return true;
};
