import { wideBits } from '../bits.ts';
import { badStream, readFundamental, readNumber } from './reader.ts';
import type { BitReader } from './reader.ts';

/** Coded numbers of one block; `values` has one element per sample. */
export interface CodedBlock {
  values: Uint32Array;
  /** Samples before this index are already there: 1 in the first block of a reference interval. */
  from: number;
}

/** Largest sum of a pair that the second extension can code. */
const maxPairSum = 12;
const pairCodes = ((maxPairSum + 1) * (maxPairSum + 2)) / 2;
const firstOfPair = new Uint8Array(pairCodes);
const secondOfPair = new Uint8Array(pairCodes);
for (let sum = 0, code = 0; sum <= maxPairSum; sum++)
  for (let second = 0; second <= sum; second++, code++) {
    firstOfPair[code] = sum - second;
    secondOfPair[code] = second;
  }

/** Every sample as it is, `bits` wide. */
export const readUncompressed = (reader: BitReader, block: CodedBlock, bits: number): void => {
  for (let i = block.from; i < block.values.length; i++) block.values[i] = readNumber(reader, bits);
};

/** Pairs of samples in one fundamental sequence each; the reference sample takes the place of the first one. */
export const readSecondExtension = (reader: BitReader, block: CodedBlock): void => {
  const { values, from } = block;
  for (let i = 0; i < values.length; i += 2) {
    const code = readFundamental(reader, pairCodes - 1);
    if (i >= from) values[i] = firstOfPair[code] ?? 0;
    values[i + 1] = secondOfPair[code] ?? 0;
  }
};

/** Sample splitting: the high parts of all samples as fundamental sequences, then their `k` low bits. */
export const readSplit = (reader: BitReader, block: CodedBlock, k: number, bits: number): void => {
  readHighParts(reader, block, k, 2 ** (bits - k) - 1);
  if (k > 0) addLowBits(reader, block, k);
};

const readHighParts = (reader: BitReader, block: CodedBlock, k: number, limit: number): void => {
  const { values, from } = block;
  const { view, end } = reader;
  let bit = reader.bit | 0;
  let window = 0;
  let left = 0;
  for (let i = from; i < values.length; i++) {
    let zeros = Math.clz32(window);
    if (zeros >= left) {
      if (bit > end) throw badStream('the coded values extend beyond section 7');
      window = view.getInt32(bit >>> 3) << (bit & 7);
      left = 32 - (bit & 7);
      zeros = Math.clz32(window);
    }
    if (zeros >= left || zeros > limit) {
      // Longer than a window; the next sample starts with a new one.
      reader.bit = bit;
      values[i] = readFundamental(reader, limit) << k;
      bit = reader.bit | 0;
      left = 0;
      continue;
    }
    values[i] = zeros << k;
    window <<= zeros + 1;
    left = (left - zeros - 1) | 0;
    bit = (bit + zeros + 1) | 0;
  }
  reader.bit = bit;
  if (bit > end) throw badStream('the coded values extend beyond section 7');
};

const addLowBits = (reader: BitReader, block: CodedBlock, k: number): void => {
  const { values, from } = block;
  const { view } = reader;
  let bit = reader.bit | 0;
  reader.bit = bit + (values.length - from) * k;
  if (reader.bit > reader.end) throw badStream('the coded values extend beyond section 7');
  if (k > 25) {
    for (let i = from; i < values.length; i++, bit += k)
      values[i] = (values[i] ?? 0) | wideBits(view, bit, k);
    return;
  }
  const mask = (1 << k) - 1;
  const room = 32 - k;
  for (let i = from; i < values.length; i++) {
    values[i] = (values[i] ?? 0) | ((view.getInt32(bit >>> 3) >>> (room - (bit & 7))) & mask);
    bit = (bit + k) | 0;
  }
};
