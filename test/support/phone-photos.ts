/** Photos as phones and cameras make them. */
import { randomBytes } from 'node:crypto';

const joined = (...parts: (Buffer | string)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));
const box = (type: string, content: Buffer) => {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(8 + content.length);
  return joined(size, type, content);
};
/** A phone's short film around a photo. */
export const film = joined(
  box('ftyp', Buffer.from('mp42\0\0\0\0isommp42')),
  box('moov', box('mvhd', Buffer.alloc(100))),
  box('mdat', randomBytes(200_000)),
);
/** How one manufacturer's appended notes end. */
export const samsungEnd = joined(
  'SEFH',
  Buffer.from('6b0000000100000000003000', 'hex'),
  Buffer.alloc(12),
  'SEFT',
);

/** A JPEG followed by manufacturers' data. */
export const phonePhotos = (jpeg: Buffer): [string, Buffer][] => [
  ['a motion photo', joined(jpeg, film)],
  ['a motion photo of Samsung', joined(jpeg, '\0\0\u0030\n\u0010\0\0\0MotionPhoto_Data', film, samsungEnd)],
  ['a motion photo of Huawei', joined(jpeg, film, 'v2_f31'.padEnd(20), 'LIVE_12345678'.padEnd(20))],
  ['a gain map, a film and padding', joined(jpeg, jpeg, film, Buffer.alloc(4_096))],
  ['a preview behind padding', joined(jpeg, Buffer.alloc(66_000), jpeg, Buffer.alloc(3))],
  ['notes of Vivo', joined(jpeg, 'vivo{"version":1}', Buffer.from('1b2a39485766758493a2b1', 'hex'))],
  ['notes of OnePlus', joined(jpeg, '{"a":1}', Buffer.from('6a78727307000000', 'hex'))],
  ['notes of Nikon', joined(jpeg, '<NIKON APP>x', Buffer.alloc(6), '/NIKON APP')],
  ['notes of Canon', joined(jpeg, 'CANON OPTIONAL DATA\0', randomBytes(50))],
];
