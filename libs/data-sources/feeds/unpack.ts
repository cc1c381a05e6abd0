import { promisify } from 'node:util';
import { gunzip, inflateRaw } from 'node:zlib';
import { codeOf } from '#domain/errors.ts';
import { SourceError } from '#domain/source-error.ts';

/**
 * Control characters allowed in text: white space, teletype framing (SOH, STX, ETX, BEL), the DOS end-of-file mark, and
 * the separators in message files.
 */
const allowed = new Set([0x01, 0x02, 0x03, 0x07, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1a, 0x1c, 0x1d, 0x1e]);

/** Throws SourceError CORRUPT for octets that occur in no text encoding of any source. */
export const assertText = (bytes: Uint8Array, what: string): void => {
  const at = bytes.findIndex((octet) => (octet < 0x20 && !allowed.has(octet)) || octet === 0x7f);
  if (at < 0) return;
  const octet = (bytes[at] ?? 0).toString(16).padStart(2, '0');
  throw new SourceError(
    'CORRUPT',
    `${what} contains binary data, not text (octet ${octet} at position ${at}).`,
  );
};

const gunzipAsync = promisify(gunzip);
const inflateAsync = promisify(inflateRaw);

const explain = (error: unknown, what: string): SourceError => {
  const code = codeOf(error);
  if (code === 'Z_BUF_ERROR') return new SourceError('TRUNCATED', `${what} is truncated.`, { cause: error });
  if (code === 'ERR_BUFFER_TOO_LARGE')
    return new SourceError('TOO_LARGE', `${what} is too large when unpacked.`, { cause: error });
  return new SourceError('CORRUPT', `${what} is damaged (${code || 'unknown'}).`, { cause: error });
};

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** Unpacks gzip identified by magic bytes, not by name: some proxies unpack it in transit. */
export const ungzip = async (bytes: Buffer, maxBytes: number): Promise<Buffer> => {
  if (!isGzip(bytes)) return bytes;
  try {
    return await gunzipAsync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    throw explain(error, 'The gzip file');
  }
};

interface ZipEntry {
  name: string;
  bytes: Buffer;
}

export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;

/** Files in a ZIP archive (stored or deflated, no ZIP64), by its central directory. */
export const unzip = async (bytes: Buffer, maxBytes: number): Promise<ZipEntry[]> => {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0) throw new SourceError('TRUNCATED', 'The ZIP file is truncated.');
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  let left = maxBytes;
  const entries: ZipEntry[] = [];
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) {
      throw new SourceError('CORRUPT', 'The ZIP file has a damaged directory.');
    }
    const method = bytes.readUInt16LE(at + 10);
    const size = bytes.readUInt32LE(at + 20);
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const local = bytes.readUInt32LE(at + 42);
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    if (name.endsWith('/')) continue;
    if (local + 30 > bytes.length) throw new SourceError('CORRUPT', 'The ZIP file has a damaged directory.');
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(start, start + size);
    if (method !== 0 && method !== 8) {
      throw new SourceError(
        'CORRUPT',
        `The ZIP file uses an unknown compression method for ${name} (${method}).`,
      );
    }
    try {
      const content =
        method === 0 ? packed : await inflateAsync(packed, { maxOutputLength: Math.max(left, 1) });
      left -= content.length;
      if (left < 0) throw new SourceError('TOO_LARGE', 'The ZIP file is too large when unpacked.');
      entries.push({ name, bytes: content });
    } catch (error) {
      throw error instanceof SourceError ? error : explain(error, `The ZIP file's ${name}`);
    }
  }
  return entries;
};
