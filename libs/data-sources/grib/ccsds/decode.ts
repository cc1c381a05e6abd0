import type { DataSpan } from '../simple.ts';
import type { CcsdsPacking } from '../types.ts';
import { readSecondExtension, readSplit, readUncompressed } from './blocks.ts';
import { undoDifferences, undoWideDifferences } from './predictor.ts';
import type { BlockTarget, Predictor } from './predictor.ts';
import { badStream, readFundamental, readNumber } from './reader.ts';
import type { BitReader } from './reader.ts';

/** A count of zero blocks that means: to the end of the segment of 64 blocks or of the reference interval. */
const restOfSegment = 5;
const segmentBlocks = 64;

interface Decoder {
  packing: CcsdsPacking;
  reader: BitReader;
  predictor: Predictor;
  values: Uint32Array;
  /** Bits of a block's option number; 0 is low entropy, all ones uncompressed. */
  optionBits: number;
  /** 2^(bits-1) for signed samples, which are shifted to be unsigned; else 0. */
  shift: number;
}

/**
 * Packing 5.42: lossless adaptive entropy coding of CCSDS 121.0-B. Blocks of samples, each with the coding option
 * that suits it, after a unit-delay predictor that restarts with a reference sample. Writes `count` values to
 * `out`. Throws GribError BAD_DATA when the coded data are damaged.
 */
export const decodeCcsds = (
  span: DataSpan,
  packing: CcsdsPacking,
  count: number,
  out: Float32Array,
): void => {
  if (packing.bits === 0) {
    out.fill(packing.base, 0, count);
    return;
  }
  const decoder = decoderOf(span, packing);
  let point = 0;
  while (point < count) point = decodeInterval(decoder, point, count, out);
};

const decoderOf = ({ view, start, end }: DataSpan, packing: CcsdsPacking): Decoder => {
  const { bits, blockSize } = packing;
  const optionBits = optionBitsOf(packing);
  const shift = packing.signed ? 2 ** (bits - 1) : 0;
  return {
    packing,
    reader: { view, bit: start * 8, end: end * 8 },
    predictor: { last: 0, top: 2 ** bits - 1, base: packing.base - shift * packing.step, step: packing.step },
    values: new Uint32Array(blockSize),
    optionBits,
    shift,
  };
};

const optionBitsOf = ({ bits, restricted }: CcsdsPacking): number => {
  if (restricted && bits <= 4) return bits <= 2 ? 1 : 2;
  if (bits <= 8) return 3;
  return bits <= 16 ? 4 : 5;
};

/** Decodes the blocks of one reference interval and returns the next point. */
const decodeInterval = (decoder: Decoder, first: number, count: number, out: Float32Array): number => {
  const { packing, reader } = decoder;
  const { blockSize, interval, predicted } = packing;
  if (packing.padded) reader.bit = Math.ceil(reader.bit / 8) * 8;
  let point = first;
  for (let block = 0; block < interval && point < count;) {
    const hasReference = predicted && block === 0;
    const blocks = readBlock(decoder, block, hasReference);
    const samples = Math.min(blocks * blockSize, count - point);
    const target = { out, point, from: hasReference ? 1 : 0, count: Math.min(samples, blockSize) };
    if (predicted) emitPredicted(decoder, target);
    else emitPlain(decoder, target);
    if (samples > blockSize) fillRest(decoder, out, point + blockSize, point + samples);
    point += samples;
    block += blocks;
  }
  return point;
};

/** Reads one coded block set into `values`; returns how many blocks it covers (more than 1 only for zeros). */
const readBlock = (decoder: Decoder, block: number, hasReference: boolean): number => {
  const { packing, reader, values, optionBits } = decoder;
  const { bits } = packing;
  const from = hasReference ? 1 : 0;
  const option = readNumber(reader, optionBits);
  const isExtension = option === 0 && readNumber(reader, 1) === 1;
  if (hasReference) values[0] = readNumber(reader, bits);
  if (option === 0 && !isExtension) {
    values.fill(0, from);
    return zeroBlocks(reader, block, packing.interval);
  }
  if (isExtension) readSecondExtension(reader, { values, from });
  else if (option === 2 ** optionBits - 1) readUncompressed(reader, { values, from }, bits);
  else if (option - 1 > bits) throw badStream(`option ${option} for samples of ${bits} bits`);
  else readSplit(reader, { values, from }, option - 1, bits);
  return 1;
};

const zeroBlocks = (reader: BitReader, block: number, interval: number): number => {
  const code = readFundamental(reader, segmentBlocks) + 1;
  if (code === restOfSegment) return Math.min(interval - block, segmentBlocks - (block % segmentBlocks));
  const blocks = code > restOfSegment ? code - 1 : code;
  if (blocks > interval - block) throw badStream('a run of zero blocks extends beyond its interval');
  return blocks;
};

const emitPredicted = ({ packing, predictor, values, shift }: Decoder, target: BlockTarget): void => {
  if (target.from === 1) {
    predictor.last = ((values[0] ?? 0) ^ shift) >>> 0;
    target.out[target.point] = predictor.base + predictor.last * predictor.step;
  }
  if (packing.bits > 30) undoWideDifferences(predictor, values, target);
  else undoDifferences(predictor, values, target);
};

const emitPlain = ({ predictor, values, shift }: Decoder, { out, point, count }: BlockTarget): void => {
  const { base, step } = predictor;
  for (let i = 0; i < count; i++) out[point + i] = base + (((values[i] ?? 0) ^ shift) >>> 0) * step;
};

/** The blocks of a zero run after its first one: the last sample again, or zeros without the predictor. */
const fillRest = ({ packing, predictor }: Decoder, out: Float32Array, from: number, to: number): void => {
  const { base, step, last } = predictor;
  out.fill(packing.predicted ? base + last * step : packing.base, from, to);
};
