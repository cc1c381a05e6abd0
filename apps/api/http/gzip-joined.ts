/** gzip (RFC 1952) of a short text followed by a long one that was compressed before. */
import { crc32 } from 'node:zlib';

/** Deflate, no name, no time, unknown system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const maxStored = 0xff_ff;

/** Blocks that are not the last and not compressed (RFC 1951, 3.2.4): they end at a byte, where others can follow. */
const storedBlocks = (bytes: Buffer): Buffer[] => {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += maxStored) {
    const block = bytes.subarray(at, at + maxStored);
    const lengths = Buffer.alloc(5);
    lengths.writeUInt16LE(block.length, 1);
    lengths.writeUInt16LE(block.length ^ 0xff_ff, 3);
    blocks.push(lengths, block);
  }
  return blocks;
};

/** `deflated` is the raw deflate stream of `tail`. */
export const gzipJoined = (head: Buffer, tail: Buffer, deflated: Buffer): Buffer => {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(tail, crc32(head)), 0);
  trailer.writeUInt32LE((head.length + tail.length) % 2 ** 32, 4);
  return Buffer.concat([header, ...storedBlocks(head), deflated, trailer]);
};
