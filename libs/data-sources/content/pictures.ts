/** Reads pictures part by part to the end of their format, without decoding pixels. */
import { crc32 } from 'node:zlib';
import { incomplete, isPadding, markup, refuse } from './source.ts';
import type { Source } from './source.ts';

const assertDimensions = ({ maxPixels }: Source, width: number, height: number): void => {
  if (width === 0 || height === 0) refuse('the picture has no pixels');
  const size = `${width} × ${height} pixels`;
  if (width * height > maxPixels)
    refuse(`the picture has ${size}, more than ${maxPixels / 1_000_000} megapixels`, 'make it smaller');
};

const damaged = (what: string): never => refuse(`${what} are damaged`);

/** PNG: chunks with their checksums from IHDR to IEND (ISO/IEC 15948). */
export const png = async (source: Source): Promise<number> => {
  const { some, take } = source;
  let hasPicture = false;
  for (let at = 8; ;) {
    const head = await take(at, 8);
    const type = head.toString('latin1', 4);
    const end = at + 8 + head.readUInt32BE(0);
    let sum = crc32(head.subarray(4));
    if (!/^[A-Za-z]{4}$/.test(type) || (at === 8) !== (type === 'IHDR')) damaged('the chunks of the PNG');
    if (type === 'IHDR') {
      const size = await take(16, 8);
      assertDimensions(source, size.readUInt32BE(0), size.readUInt32BE(4));
    }
    for (at += 8; at < end;) {
      const piece = (await some(at)).subarray(0, end - at);
      if (piece.length === 0) incomplete();
      sum = crc32(piece, sum);
      at += piece.length;
    }
    if ((await take(end, 4)).readUInt32BE(0) !== sum)
      refuse('a checksum of the PNG is wrong', 'send it again');
    at += 4;
    hasPicture ||= type === 'IDAT';
    if (type === 'IEND') return hasPicture ? at : refuse('the PNG has no picture');
  }
};

/** The position after a sequence of blocks that each begin with their size and end with size 0. */
const afterBlocks = async ({ some }: Source, from: number): Promise<number> => {
  for (let at = from; ;) {
    const window = await some(at);
    if (window.length === 0) incomplete();
    let i = 0;
    for (let size = window[i]; size !== undefined; size = window[i]) {
      if (size === 0) return at + i + 1;
      i += 1 + size;
    }
    at += i;
  }
};

/** GIF: blocks up to the trailer (GIF89a, appendix). */
export const gif = async (source: Source): Promise<number> => {
  const { take } = source;
  const colours = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const head = await take(0, 13);
  assertDimensions(source, head.readUInt16LE(6), head.readUInt16LE(8));
  let at = 13 + colours(head.readUInt8(10));
  for (let images = 0; ;) {
    const block = (await take(at, 1)).readUInt8();
    if (block === 0x3b) return images > 0 ? at + 1 : refuse('the GIF has no picture');
    if (block === 0x2c) {
      const descriptor = await take(at, 10);
      assertDimensions(source, descriptor.readUInt16LE(5), descriptor.readUInt16LE(7));
      at += 11 + colours(descriptor.readUInt8(9));
      images += 1;
    } else if (block === 0x21) at += 2;
    else damaged('the blocks of the GIF');
    at = await afterBlocks(source, at);
  }
};

/** WebP: one RIFF container. */
export const webp = async (source: Source): Promise<number> => {
  const { take } = source;
  const head = await take(0, 30);
  const end = 8 + head.readUInt32LE(4);
  const kind = head.toString('latin1', 12, 16);
  if (kind === 'VP8X') assertDimensions(source, head.readUIntLE(24, 3) + 1, head.readUIntLE(27, 3) + 1);
  else if (kind === 'VP8 ')
    assertDimensions(source, head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff);
  else if (kind === 'VP8L') {
    const bits = head.readUInt32LE(21);
    assertDimensions(source, (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  } else refuse('the WebP does not begin with a picture');
  for (let at = 12; at < end;) {
    const length = (await take(at, 8)).readUInt32LE(4);
    at += 8 + length + (length % 2);
    if (at > end) refuse('a chunk of the WebP is longer than the file');
  }
  return end;
};

const isRestart = (code: number): boolean => code >= 0xd0 && code <= 0xd7;
const isFrame = (code: number): boolean =>
  code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;

/** The next marker after scan data; stuffed zeros and restart markers do not count. */
const afterScan = async ({ some }: Source, from: number): Promise<number> => {
  for (let at = from; ;) {
    const window = await some(at, 2);
    if (window.length < 2) incomplete();
    for (let i = window.indexOf(0xff); i >= 0 && i + 1 < window.length; i = window.indexOf(0xff, i + 1)) {
      const code = window.readUInt8(i + 1);
      if (code !== 0 && code !== 0xff && !isRestart(code)) return at + i;
    }
    at += window.length - 1;
  }
};

/** Reads one JPEG from this position: segments and scans up to EOI. */
const oneJpeg = async (source: Source, from: number): Promise<number> => {
  const { take } = source;
  let frames = 0;
  for (let at = from + 2; ;) {
    const [mark, code = 0] = await take(at, 2);
    if (mark !== 0xff || code === 0 || isRestart(code)) damaged('the segments of the JPEG');
    if (code === 0xff) {
      at += 1;
      continue;
    }
    if (code === 0xd9) return frames > 0 ? at + 2 : refuse('the JPEG has no picture');
    const length = (await take(at + 2, 2)).readUInt16BE(0);
    if (length < (isFrame(code) ? 8 : 2)) damaged('the segments of the JPEG');
    if (isFrame(code)) {
      const frame = await take(at + 5, 4);
      assertDimensions(source, frame.readUInt16BE(2), frame.readUInt16BE(0));
      frames += 1;
    }
    at += 2 + length;
    if (code === 0xda) at = await afterScan(source, at);
  }
};

/** The video of a motion photo (ISO 14496-12), whose size field begins like padding, or Canon's trailer. */
const makersHead = /^(?:[\s\S]{0,4}ftyp|CANON OPTIONAL DATA)/;
/** End marks of trailers by Samsung, Vivo, OnePlus and Nikon. */
const makersTail = /(?:SEFT|QDIOBS|\*9HWfu\x84\x93\xa2\xb1|jxrs[\s\S]{0,4}|\/NIKON APP)$/;
/** Content that programs detect anywhere in a file: archives, documents and scripts. */
const hidden = [
  'PK\x05\x06\0\0\0\0',
  'Rar!\x1a\x07',
  '7z\xbc\xaf\x27\x1c',
  '%PDF-',
  '__HALT_COMPILER',
  '<?php',
];
const markBytes = 32;

const isOfMaker = async ({ some, take, filled }: Source, from: number): Promise<boolean> => {
  const tailAt = Math.max(from, filled - markBytes);
  const tail = (await take(tailAt, filled - tailAt)).toString('latin1');
  const head = (await some(from, markBytes)).toString('latin1', 0, markBytes);
  if (!makersHead.test(head) && !makersTail.test(tail)) return false;
  for (let at = from; at < filled;) {
    const window = await some(at, markBytes);
    if (hidden.some((mark) => window.includes(mark, 0, 'latin1')) || markup.test(window.toString('latin1')))
      refuse('an archive, a page or a script is behind the picture', 'save the picture without it');
    at += Math.max(1, window.length - markBytes);
  }
  return true;
};

const afterPadding = async ({ some, filled }: Source, from: number): Promise<number> => {
  for (let at = from; at < filled;) {
    const window = await some(at, 2);
    const next = window.findIndex((byte, i) => !isPadding(byte) || (byte === 0xff && window[i + 1] === 0xd8));
    if (next >= 0) return at + next;
    at += Math.max(1, window.length - 1);
  }
  return filled;
};

/** JPEG: phones append further pictures, a video and maker notes. */
export const jpeg = async (source: Source): Promise<number> => {
  for (let end = await oneJpeg(source, 0); ;) {
    const next = await afterPadding(source, end);
    if (next >= source.filled) return end;
    if ((await source.take(next, 2)).readUInt16BE(0) === 0xffd8) end = await oneJpeg(source, next);
    else return (await isOfMaker(source, next)) ? source.filled : end;
  }
};
