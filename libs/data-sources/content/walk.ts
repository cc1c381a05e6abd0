/**
 * Checks the structure of a file while it is received. A format is a generator that requests bytes and returns when it has
 * seen the end of the file, or throws `ContentError`:
 *
 *   const header = yield take(8);      // exactly these bytes, at most 64 KiB
 *   yield skip(length);                // without keeping them
 *   const next = yield upTo(65_536);   // some bytes, none at the end of the file
 *   const [code] = yield through(find); // the byte at which `find` stops; with `mayEnd` none at the end of the file
 *   yield part;                        // a chunk or segment begins: too many small ones are refused
 */
export class ContentError extends Error {
  override name = 'ContentError';
}

/** The place in the chunk of the byte at which to stop; -1 when it is in a later chunk. Keeps its state between chunks. */
export type Find = (chunk: Buffer) => number;

export type Request =
  | { kind: 'take' | 'skip' | 'upTo'; value: number }
  | { kind: 'through'; find: Find; mayEnd: boolean }
  | { kind: 'part' };

export const take = (value: number): Request => ({ kind: 'take', value });
export const skip = (value: number): Request => ({ kind: 'skip', value });
export const upTo = (value: number): Request => ({ kind: 'upTo', value });
export const through = (find: Find, mayEnd = false): Request => ({ kind: 'through', find, mayEnd });
export const part: Request = { kind: 'part' };

export type Format = Generator<Request, void, Buffer>;

/** Throws `ContentError` for what is not a whole, single file of the format. */
export interface Inspector {
  push: (chunk: Buffer) => void;
  end: () => void;
}

const empty = Buffer.alloc(0);
const incomplete = 'the file is incomplete';
const surplus = 'there is something after the end of the file';
/** A file may have as many parts of any size; more only while they have this size on average. Each costs 1 µs. */
const maxSmallParts = 10_000;
const smallBytes = 256;

export const walk = (begin: () => Format): Inspector => {
  const format = begin();
  let kept: Buffer = empty;
  let skipped = 0;
  let received = 0;
  let parts = 0;
  let step = format.next(empty);

  /** Passes on the first bytes after those that are dropped. */
  const give = (bytes: number, dropped = 0): void => {
    const given = kept.subarray(dropped, dropped + bytes);
    kept = kept.subarray(dropped + given.length);
    step = format.next(given);
  };

  const countPart = (): void => {
    parts += 1;
    if (parts > maxSmallParts && parts * smallBytes > received)
      throw new ContentError('the file has too many parts');
    give(0);
  };

  const serveSkip = (value: number): boolean => {
    const dropped = Math.min(value - skipped, kept.length);
    kept = kept.subarray(dropped);
    skipped += dropped;
    if (skipped < value) return false;
    skipped = 0;
    give(0);
    return true;
  };

  const serveThrough = (find: Find, mayBeNone: boolean): boolean => {
    const at = find(kept);
    if (at === -1) kept = empty;
    if (at === -1 && !mayBeNone) return false;
    give(1, Math.max(at, 0));
    return true;
  };

  /** False when the request needs more bytes. */
  const serve = (request: Request, isEnd: boolean): boolean => {
    const { kind } = request;
    if (kind === 'part') countPart();
    else if (kind === 'skip') return serveSkip(request.value);
    else if (kind === 'through') return serveThrough(request.find, request.mayEnd && isEnd);
    else {
      const { value } = request;
      if (kept.length < (kind === 'take' ? value : 1) && !isEnd) return false;
      if (kind === 'take' && kept.length < value) throw new ContentError(incomplete);
      give(value);
    }
    return true;
  };

  const advance = (isEnd: boolean): void => {
    while (!step.done && serve(step.value, isEnd));
  };

  return {
    push: (chunk) => {
      if (chunk.length === 0) return;
      if (step.done) throw new ContentError(surplus);
      received += chunk.length;
      kept = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
      advance(false);
      if (step.done && kept.length > 0) throw new ContentError(surplus);
    },
    end: () => {
      advance(true);
      if (!step.done) throw new ContentError(incomplete);
    },
  };
};

/** More than any chart; a client that decodes needs 4 bytes a pixel. */
const maxPixels = 100_000_000;

export const assertDimensions = (width: number, height: number): void => {
  if (width === 0 || height === 0) throw new ContentError('the picture has no pixels');
  if (width * height > maxPixels)
    throw new ContentError(`the picture has more than ${maxPixels / 1_000_000} megapixels`);
};
