/**
 * The same bytes in memory of their own, for what is kept. A small Buffer, or one that zlib returns, is a part of a larger piece
 * of memory (a pool of 64 kB), which stays as long as one of its parts does.
 */
export const ownBytes = (bytes: Buffer): Buffer => {
  if (bytes.length === bytes.buffer.byteLength) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
};
