import { wideBits } from '../bits.ts';
import { GribError } from '../errors.ts';

/** Position in the coded data set. `end` is the first bit after section 7; windows may reach 32 bits beyond it. */
export interface BitReader {
  readonly view: DataView;
  bit: number;
  readonly end: number;
}

export const badStream = (message: string): GribError =>
  new GribError('BAD_DATA', `CCSDS: ${message}`, { section: 7, template: 42 });

const checkEnd = (reader: BitReader): void => {
  if (reader.bit > reader.end) throw badStream('the coded values extend beyond section 7');
};

/** One unsigned number of 1 to 32 bits. */
export const readNumber = (reader: BitReader, width: number): number => {
  const { view, bit } = reader;
  reader.bit = bit + width;
  checkEnd(reader);
  if (width > 25) return wideBits(view, bit, width) >>> 0;
  return (view.getInt32(bit >>> 3) >>> (32 - width - (bit & 7))) & ((1 << width) - 1);
};

/** One fundamental sequence: the number of zero bits before the next one bit, at most `limit`. */
export const readFundamental = (reader: BitReader, limit: number): number => {
  checkEnd(reader);
  const { view, bit } = reader;
  const offset = bit & 7;
  let zeros = Math.clz32(view.getInt32(bit >>> 3) << offset);
  if (zeros >= 32 - offset) zeros = 32 - offset + longRun(view, (bit >>> 3) + 4, reader.end >>> 3);
  reader.bit = bit + zeros + 1;
  checkEnd(reader);
  if (zeros > limit) throw badStream(`a fundamental sequence of ${zeros} exceeds ${limit}`);
  return zeros;
};

/** Zero bits from octet `at` on. Four octets at once, so that a section full of zeros is soon refused. */
const longRun = (view: DataView, at: number, end: number): number => {
  let octet = at | 0;
  while (octet <= end && view.getInt32(octet) === 0) octet = (octet + 4) | 0;
  return (octet - at) * 8 + (octet > end ? 0 : Math.clz32(view.getInt32(octet)));
};
