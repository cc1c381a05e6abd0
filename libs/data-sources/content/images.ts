/** Structure of pictures: every block up to the end of the file. Pixels are not decoded. */
import { crc32 } from 'node:zlib';
import { ContentError, assertDimensions, part, skip, take, through } from './walk.ts';
import type { Find, Format, Request } from './walk.ts';

const step = 65_536;

/** PNG: chunks with their checksums from IHDR to IEND (ISO/IEC 15948). */
export const png = function* (): Format {
  const signature = yield take(8);
  if (signature.toString('hex') !== '89504e470d0a1a0a') throw new ContentError('this is not a PNG');
  for (let index = 0; ; index += 1) {
    yield part;
    const head = yield take(8);
    const type = head.toString('latin1', 4);
    if (!/^[A-Za-z]{4}$/.test(type) || (index === 0) !== (type === 'IHDR'))
      throw new ContentError('the chunks of the PNG are damaged');
    let sum = crc32(head.subarray(4));
    for (let left = head.readUInt32BE(0); left > 0;) {
      const piece = yield take(Math.min(left, step));
      if (type === 'IHDR') assertDimensions(piece.readUInt32BE(0), piece.readUInt32BE(4));
      sum = crc32(piece, sum);
      left -= piece.length;
    }
    const expected = yield take(4);
    if (expected.readUInt32BE(0) !== sum) throw new ContentError('a checksum of the PNG is wrong');
    if (type === 'IEND') return;
  }
};

/** Finds the empty block that ends the data of a picture, each block of which begins with its size. */
const lastBlock = (): Find => {
  let next = 0;
  return (chunk) => {
    while (next < chunk.length) {
      const size = chunk[next] ?? 0;
      if (size === 0) return next;
      next += 1 + size;
    }
    next -= chunk.length;
    return -1;
  };
};

/** GIF: blocks up to the trailer (GIF89a, appendix). */
export const gif = function* (): Format {
  const colours = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const head = yield take(13);
  if (!/^GIF8[79]a$/.test(head.toString('latin1', 0, 6))) throw new ContentError('this is not a GIF');
  assertDimensions(head.readUInt16LE(6), head.readUInt16LE(8));
  yield skip(colours(head.readUInt8(10)));
  for (let images = 0; ;) {
    yield part;
    const [block = 0] = yield take(1);
    if (block === 0x3b) {
      if (images === 0) throw new ContentError('the GIF has no picture');
      return;
    }
    if (block === 0x2c) {
      const descriptor = yield take(9);
      assertDimensions(descriptor.readUInt16LE(4), descriptor.readUInt16LE(6));
      yield skip(colours(descriptor.readUInt8(8)) + 1);
      images += 1;
    } else if (block === 0x21) yield skip(1);
    else throw new ContentError('the blocks of the GIF are damaged');
    yield through(lastBlock());
  }
};

/** WebP: one RIFF container of exactly the size of the file. */
export const webp = function* (): Format {
  const head = yield take(20);
  const isWebp = head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP';
  if (!isWebp) throw new ContentError('this is not a WebP');
  const size = head.readUInt32LE(4);
  let left = size - 4;
  let kind = head.toString('latin1', 12, 16);
  let length = head.readUInt32LE(16);
  if (!/^VP8[ LX]$/.test(kind)) throw new ContentError('the WebP does not begin with a picture');
  for (let index = 0; ; index += 1) {
    yield part;
    const padded = length + (length % 2);
    left -= 8 + padded;
    if (left < 0) throw new ContentError('a chunk of the WebP is longer than the file');
    let known = 0;
    if (index === 0) {
      if (length < 10) throw new ContentError('the chunks of the WebP are damaged');
      const facts = yield take(10);
      known = 10;
      if (kind === 'VP8X') assertDimensions(facts.readUIntLE(4, 3) + 1, facts.readUIntLE(7, 3) + 1);
      else if (kind === 'VP8 ')
        assertDimensions(facts.readUInt16LE(6) & 0x3fff, facts.readUInt16LE(8) & 0x3fff);
      else {
        const bits = facts.readUInt32LE(1);
        assertDimensions((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
      }
    }
    yield skip(padded - known);
    if (left === 0) return;
    const next = yield take(8);
    kind = next.toString('latin1', 0, 4);
    length = next.readUInt32LE(4);
  }
};

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;

/** Finds the marker after the data of a scan, in which stuffed zeros and restarts are no markers. */
const nextMarker = (): Find => {
  let before = 0;
  return (chunk) => {
    for (let at = 0; at < chunk.length; at += 1) {
      const code = chunk[at] ?? 0;
      if (before === 0xff && code !== 0xff && code !== 0 && !(code >= 0xd0 && code <= 0xd7)) return at;
      before = code;
    }
    return -1;
  };
};

const afterFill: Find = (chunk) => chunk.findIndex((byte) => byte !== 0xff);
const afterZeros: Find = (chunk) => chunk.findIndex((byte) => byte !== 0);

/** The next marker after a segment, which fill bytes may precede. */
const marker = function* (): Generator<Request, number, Buffer> {
  const before = yield take(1);
  const [code = 0] = before[0] === 0xff ? yield through(afterFill) : [];
  if (code === 0 || (code >= 0xd0 && code <= 0xd7))
    throw new ContentError('the segments of the JPEG are damaged');
  return code;
};

const oneJpeg = function* (): Generator<Request, void, Buffer> {
  let frames = 0;
  for (let isScan = false; ;) {
    yield part;
    const code: number = isScan ? ((yield through(nextMarker()))[0] ?? 0) : yield* marker();
    if (code === endOfImage) {
      if (frames === 0) throw new ContentError('the JPEG has no picture');
      return;
    }
    const length = (yield take(2)).readUInt16BE(0) - 2;
    if (length < 0) throw new ContentError('the segments of the JPEG are damaged');
    if (isFrame(code)) {
      if (length < 6) throw new ContentError('the segments of the JPEG are damaged');
      const frame = yield take(6);
      assertDimensions(frame.readUInt16BE(3), frame.readUInt16BE(1));
      frames += 1;
      yield skip(length - 6);
    } else yield skip(length);
    isScan = code === startOfScan;
  }
};

/** JPEG: segments and scans up to EOI. Cameras add further JPEGs and zeros; anything else after EOI is refused. */
export const jpeg = function* (): Format {
  for (let next = yield take(2); next.length > 0;) {
    if (next[0] !== 0xff || next[1] !== startOfImage) throw new ContentError('this is not a JPEG');
    yield* oneJpeg();
    const first = yield through(afterZeros, true);
    next = first.length === 0 ? first : Buffer.concat([first, yield take(1)]);
  }
};
