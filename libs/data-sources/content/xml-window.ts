/** Bytes of a text as they arrive, given to a scanner together and without what is not complete. */
import { isUtf8 } from 'node:buffer';
import { ContentError } from './walk.ts';
import { grownBytes } from './xml-names.ts';
import { checkCharacters } from './xml-text.ts';

export interface XmlWindow {
  push: (chunk: Uint8Array) => void;
  /** What the scanner has left. */
  end: () => string;
}

export interface WindowOptions {
  /** As in xml-scanner.ts. */
  scan: (bytes: Uint8Array, length: number) => number;
  /** Scanned together, so that an incomplete piece is looked at a few times only, however it arrives. */
  minScannedBytes: number;
  /** Of one text, attribute or comment, which is kept until it is complete. */
  maxPieceBytes: number;
  tooLong: () => never;
}

const byteOrderMark = Buffer.from('\uFEFF');
/** Bytes of a character that is not complete. */
const maxUnfinished = 3;
/** The scanner expects some bytes 0 behind the text. */
const margin = 4;

/** How many bytes at the end begin a character that is not complete. */
const unfinished = (bytes: Uint8Array, length: number): number => {
  for (let count = 1; count <= Math.min(maxUnfinished, length); count += 1) {
    const byte = bytes[length - count] as number;
    // The lead says how many bytes the character has, by its first bits.
    if (byte >= 0xc0) return count < Math.clz32(~(byte << 24)) ? count : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
};

export const createWindow = (options: WindowOptions): XmlWindow => {
  const { scan, minScannedBytes, maxPieceBytes, tooLong } = options;
  let bytes: Uint8Array = new Uint8Array(65_536);
  let length = 0;
  /** Of these the characters have been checked. */
  let checked = 0;
  let unscanned = 0;
  let isBegun = false;

  /** Nothing, at the beginning, but a mark of the encoding. */
  const dropMark = (): void => {
    isBegun = true;
    if (!byteOrderMark.equals(bytes.subarray(0, byteOrderMark.length))) return;
    bytes.copyWithin(0, byteOrderMark.length, length);
    length -= byteOrderMark.length;
  };

  const run = (incomplete: number): void => {
    if (!isBegun && length > incomplete) dropMark();
    const to = length - incomplete;
    if (!isUtf8(bytes.subarray(checked, to))) throw new ContentError('the SVG is not UTF-8 text');
    checkCharacters(bytes, checked, to);
    const rest = bytes.slice(to, length);
    bytes.fill(0, to, to + margin);
    const used = scan(bytes, to);
    bytes.copyWithin(0, used, to);
    bytes.set(rest, to - used);
    length -= used;
    checked = to - used;
    unscanned = 0;
    if (checked > maxPieceBytes) tooLong();
  };

  return {
    push: (chunk) => {
      const needed = length + chunk.length + margin;
      if (needed > bytes.length) bytes = grownBytes(bytes, needed);
      bytes.set(chunk, length);
      length += chunk.length;
      unscanned += chunk.length;
      // A long piece is looked at again when it has doubled.
      if (unscanned >= Math.max(minScannedBytes, checked)) run(unfinished(bytes, length));
    },
    end: () => {
      run(0);
      return Buffer.from(bytes.subarray(0, length)).toString();
    },
  };
};
