/** A file read forward in windows for inspection, so that it is never in memory whole and other work can run. */
import { open } from 'node:fs/promises';

/** Explains to the owner why a file is not stored. */
export class ContentError extends Error {
  override name = 'ContentError';
}

export const refuse = (problem: string, advice = 'save it again with another program'): never => {
  throw new ContentError(`${problem}; ${advice}`);
};

/** The reason for refusing a file; rethrows other errors. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof ContentError) return error.message;
  throw error;
};

export const incomplete = (): never => refuse('the file is incomplete', 'send it again');

/** Markup that makes some programs treat a file as a web page. */
export const markup = /<(?:!doctype|html|head|body|script|iframe|svg)[\s/>]/i;

export interface Source {
  /** At least this many bytes from a position, fewer only at the end of the file; valid until the next call. */
  some: (at: number, atLeast?: number) => Promise<Buffer>;
  /** Exactly these bytes. */
  take: (at: number, bytes: number) => Promise<Buffer>;
  size: number;
  /** Length of the file without its padding. */
  filled: number;
  maxPixels: number;
}

const windowBytes = 65_536;
/** Any file may cause this many small reads; more are allowed only if reads average this many bytes. */
const [maxSmallReads, smallBytes] = [10_000, 64];

/** Bytes that programs, memory cards and mail append to files of any format. */
export const isPadding = (byte: number | undefined): boolean =>
  byte === 0 || byte === 9 || byte === 10 || byte === 13 || byte === 26 || byte === 32 || byte === 255;

/** A source for bytes in memory. */
export const sourceInMemory = (bytes: Buffer): Source => {
  const some = async (at: number) => bytes.subarray(at);
  const take = async (at: number, length: number) =>
    at + length > bytes.length ? incomplete() : bytes.subarray(at, at + length);
  return { some, take, size: bytes.length, filled: bytes.length, maxPixels: Infinity };
};

/** Opens a file for `work` to read in windows. */
export const withSource = async <T>(
  path: string,
  maxPixels: number,
  work: (source: Source) => Promise<T>,
): Promise<T> => {
  const file = await open(path);
  const room = Buffer.alloc(windowBytes);
  let [kept, start, reads] = [room.subarray(0, 0), 0, 0];
  const some = async (at: number, atLeast = 1): Promise<Buffer> => {
    reads += 1;
    if (reads > maxSmallReads && reads * smallBytes > at) refuse('the file has too many parts');
    if (at < start || at + atLeast > start + kept.length) {
      const { bytesRead } = await file.read(room, 0, windowBytes, at);
      [kept, start] = [room.subarray(0, bytesRead), at];
    }
    return kept.subarray(at - start);
  };
  const take = async (at: number, bytes: number): Promise<Buffer> => {
    const found = await some(at, bytes);
    return found.length < bytes ? incomplete() : found.subarray(0, bytes);
  };
  try {
    const { size } = await file.stat();
    let filled = size;
    for (let isFilled = false; filled > 0 && !isFilled;) {
      const from = Math.max(0, filled - windowBytes);
      const window = await take(from, filled - from);
      while (filled > from && isPadding(window[filled - from - 1])) filled -= 1;
      isFilled = filled > from;
    }
    reads = 0;
    return await work({ some, take, size, filled, maxPixels });
  } finally {
    await file.close();
  }
};
