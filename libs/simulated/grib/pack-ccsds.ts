import { bitsFor, bitWriter, octets } from './bit-writer.ts';
import type { BitWriter } from './bit-writer.ts';
import { optionBitsOf, possibleOptions, putBlock, putFundamental } from './ccsds-options.ts';
import type { BlockOption, CodedSamples } from './ccsds-options.ts';
import type { ScaledSteps } from './pack-simple.ts';
import type { PackedValues } from './sections.ts';

/** Parameters of lossless coding after CCSDS 121.0-B. */
export interface CcsdsParameters {
  bits: number;
  /** Samples per block, even. */
  blockSize: number;
  /** Blocks per reference sample. */
  interval: number;
  signed?: boolean;
  predicted?: boolean;
  restricted?: boolean;
  padded?: boolean;
  /** Picks an option for each block; default the shortest. Tests force the others. */
  choose?: (options: ReadonlyMap<BlockOption, number>, block: number) => BlockOption;
}

const shortest = (options: ReadonlyMap<BlockOption, number>): BlockOption =>
  [...options].reduce((best, option) => (option[1] < best[1] ? option : best))[0];

/** Maps the difference to the previous sample: small ones of either sign become small unsigned numbers. */
const mapped = (sample: number, last: number, top: number): number => {
  const difference = sample - last;
  const room = Math.min(last, top - last);
  if (Math.abs(difference) > room) return room + Math.abs(difference);
  return difference >= 0 ? 2 * difference : -2 * difference - 1;
};

/** Blocks of one reference interval as they are coded; samples unsigned. */
const blocksOf = (samples: readonly number[], parameters: CcsdsParameters): CodedSamples[] => {
  const { bits, blockSize, predicted = true } = parameters;
  const top = 2 ** bits - 1;
  const values = predicted
    ? samples.map((sample, i) => (i === 0 ? sample : mapped(sample, samples[i - 1] ?? 0, top)))
    : samples.map((sample) => sample);
  return Array.from({ length: values.length / blockSize }, (_, block) => ({
    values: values.slice(block * blockSize, (block + 1) * blockSize),
    from: predicted && block === 0 ? 1 : 0,
    bits,
  }));
};

/** Number of blocks from `at` on for which `isZero` holds, within the segment of 64 blocks. */
const zeroRun = (options: readonly BlockOption[], at: number): number => {
  const segmentEnd = Math.min(options.length, (Math.floor(at / 64) + 1) * 64);
  let end = at;
  while (end < segmentEnd && options[end] === 'zero') end += 1;
  return end - at;
};

const putZeroRun = (writer: BitWriter, run: number, isRest: boolean): void => {
  if (isRest && run >= 5) putFundamental(writer, 4);
  else putFundamental(writer, run < 5 ? run - 1 : run);
};

const putInterval = (
  writer: BitWriter,
  samples: readonly number[],
  firstBlock: number,
  parameters: CcsdsParameters,
): void => {
  const { choose = shortest, bits, signed = false } = parameters;
  const optionBits = optionBitsOf(bits, parameters.restricted ?? false);
  const blocks = blocksOf(samples, parameters);
  const options = blocks.map((block, i) => choose(possibleOptions(block, optionBits), firstBlock + i));
  const reference = ((samples[0] ?? 0) + (signed ? 2 ** (bits - 1) : 0)) % 2 ** bits;
  for (let at = 0; at < blocks.length;) {
    const block = blocks[at];
    const option = options[at];
    if (block === undefined || option === undefined) break;
    putBlock(writer, block, option, optionBits, reference);
    const run = option === 'zero' ? zeroRun(options, at) : 1;
    const next = at + run;
    if (option === 'zero') putZeroRun(writer, run, next === blocks.length || next % 64 === 0);
    at = next;
  }
};

/** Coded data set of unsigned samples (or of signed ones, if so declared). The last block is padded. */
export const encodeCcsds = (samples: readonly number[], parameters: CcsdsParameters): Buffer => {
  const { bits, blockSize, interval, signed = false, predicted = true } = parameters;
  // With the predictor, signed samples are shifted; without it, their two's complement is coded as it is.
  const shift = signed ? 2 ** (bits - 1) : 0;
  const unsigned = samples.map((sample) =>
    predicted ? sample + shift : (sample + 2 * shift) % (2 * shift || 2 ** bits),
  );
  const padding = (blockSize - (samples.length % blockSize)) % blockSize;
  const whole = [...unsigned, ...Array.from({ length: padding }, () => unsigned.at(-1) ?? 0)];
  const writer = bitWriter();
  for (let block = 0; block * blockSize < whole.length; block += interval) {
    if (parameters.padded === true) writer.align();
    const part = whole.slice(block * blockSize, (block + interval) * blockSize);
    putInterval(writer, part, block, parameters);
  }
  return writer.bytes();
};

/** Template 5.42 with the parameters of the European centre: blocks of 32 samples, 128 per reference sample. */
export const packCcsds = (
  { steps, head }: ScaledSteps,
  over: Partial<CcsdsParameters> = {},
): PackedValues => {
  const samples = steps.map((step) => step ?? 0);
  const most = samples.reduce((top, sample) => Math.max(top, sample), 0);
  const parameters = { bits: bitsFor(most), blockSize: 32, interval: 128, ...over };
  const { bits, blockSize, interval, predicted = true, restricted = false, padded = false } = parameters;
  const flags = (predicted ? 8 : 0) + (restricted ? 16 : 0) + (padded ? 32 : 0) + 4 + 2;
  return {
    body: Buffer.concat([head, Buffer.from([bits, 0, flags, blockSize]), octets(interval, 2)]),
    data: bits === 0 ? Buffer.alloc(0) : encodeCcsds(samples, parameters),
  };
};
