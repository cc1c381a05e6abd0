import type { BitWriter } from './bit-writer.ts';

/** How a block of mapped samples can be coded; the number is the count of low bits of sample splitting. */
export type BlockOption = 'zero' | 'extension' | 'uncompressed' | number;

export interface CodedSamples {
  /** Mapped differences, or the samples themselves without the predictor. */
  values: readonly number[];
  /** 1 when the first value is a reference sample, which is written as it is. */
  from: number;
  bits: number;
}

/** Bits of an option number (CCSDS 121.0-B table 5-1); the restricted set is for samples of up to 4 bits. */
export const optionBitsOf = (bits: number, restricted: boolean): number => {
  if (restricted && bits <= 4) return bits <= 2 ? 1 : 2;
  if (bits <= 8) return 3;
  return bits <= 16 ? 4 : 5;
};

const pairsOf = ({ values, from }: CodedSamples): [number, number][] =>
  Array.from({ length: values.length / 2 }, (_, i) => [
    i === 0 && from === 1 ? 0 : (values[2 * i] ?? 0),
    values[2 * i + 1] ?? 0,
  ]);

/** Index of a pair in the triangle of all pairs. */
const pairCode = ([first, second]: readonly [number, number]): number =>
  ((first + second) * (first + second + 1)) / 2 + second;

/** Options that can code a block, with the bits that each needs besides option number and reference sample. */
export const possibleOptions = (block: CodedSamples, optionBits: number): Map<BlockOption, number> => {
  const coded = block.values.slice(block.from);
  const options = new Map<BlockOption, number>();
  if (coded.every((value) => value === 0)) options.set('zero', 2);
  // Longer second extensions never win, and decoders only know pairs up to a sum of 12.
  if (pairsOf(block).every(([first, second]) => first + second <= 12))
    options.set(
      'extension',
      pairsOf(block).reduce((sum, pair) => sum + pairCode(pair) + 1, 1),
    );
  const splits = 2 ** optionBits - 2;
  for (let k = 0; k < splits && k < block.bits; k++)
    options.set(
      k,
      coded.reduce((sum, value) => sum + Math.floor(value / 2 ** k) + 1 + k, 0),
    );
  options.set('uncompressed', coded.length * block.bits);
  return options;
};

export const putFundamental = (writer: BitWriter, zeros: number): void => {
  writer.put(0, zeros);
  writer.put(1, 1);
};

/** Writes a block with an option; `zero` writes its option and reference only, the count of blocks follows. */
export const putBlock = (
  writer: BitWriter,
  block: CodedSamples,
  option: BlockOption,
  optionBits: number,
  reference: number,
): void => {
  const coded = block.values.slice(block.from);
  if (option === 'zero' || option === 'extension') writer.put(option === 'zero' ? 0 : 1, optionBits + 1);
  else writer.put(option === 'uncompressed' ? 2 ** optionBits - 1 : option + 1, optionBits);
  if (block.from === 1) writer.put(reference, block.bits);
  if (option === 'extension') for (const pair of pairsOf(block)) putFundamental(writer, pairCode(pair));
  else if (option === 'uncompressed') for (const value of coded) writer.put(value, block.bits);
  else if (option !== 'zero') {
    for (const value of coded) putFundamental(writer, Math.floor(value / 2 ** option));
    for (const value of coded) writer.put(value % 2 ** option, option);
  }
};
