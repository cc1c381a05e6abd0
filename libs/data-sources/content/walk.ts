/**
 * Checks the structure of a file while it is received. A format is a generator that requests bytes and returns when it has
 * seen the end of the file, or throws `ContentError`:
 *
 *   const header = yield take(8);      // exactly these bytes, at most 64 KiB
 *   yield skip(length);                // without keeping them
 *   const next = yield upTo(65_536);   // some bytes, none at the end of the file
 *   yield after(0xff);                 // everything up to the next such byte, and this byte
 */
export class ContentError extends Error {
  override name = 'ContentError';
}

export interface Request {
  kind: 'take' | 'skip' | 'upTo' | 'after';
  /** Number of bytes; of `after` the byte itself. */
  value: number;
}

export const take = (value: number): Request => ({ kind: 'take', value });
export const skip = (value: number): Request => ({ kind: 'skip', value });
export const upTo = (value: number): Request => ({ kind: 'upTo', value });
export const after = (value: number): Request => ({ kind: 'after', value });

export type Format = Generator<Request, void, Buffer>;

/** Throws `ContentError` for what is not a whole, single file of the format. */
export interface Inspector {
  push: (chunk: Buffer) => void;
  end: () => void;
}

const empty = Buffer.alloc(0);
const incomplete = 'the file is incomplete';
const surplus = 'there is something after the end of the file';

export const walk = (begin: () => Format): Inspector => {
  const format = begin();
  let kept: Buffer = empty;
  let skipped = 0;
  let step = format.next(empty);

  const give = (bytes: number): void => {
    const given = kept.subarray(0, bytes);
    kept = kept.subarray(given.length);
    step = format.next(given);
  };

  /** False when the request needs more bytes. */
  const serve = ({ kind, value }: Request, isEnd: boolean): boolean => {
    if (kind === 'skip') {
      const dropped = Math.min(value - skipped, kept.length);
      kept = kept.subarray(dropped);
      skipped += dropped;
      if (skipped < value) return false;
      skipped = 0;
      give(0);
    } else if (kind === 'after') {
      const at = kept.indexOf(value);
      if (at === -1) kept = empty;
      if (at === -1) return false;
      give(at + 1);
    } else {
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
