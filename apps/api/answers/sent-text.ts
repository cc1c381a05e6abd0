/** The text of an answer in the encodings in which it can be sent. */
import { Readable, pipeline } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  deflateRaw,
  gzip,
  gzipSync,
} from 'node:zlib';
import type { JsonSource } from '#domain/text/json-text.ts';
import { ownBytes } from '#platform/own-bytes.ts';
import { brotliParams } from '../http/documents.ts';
import type { Encoding } from '../http/documents.ts';
import { gzipJoined } from '../http/gzip-joined.ts';

/** A text, bytes, pieces that follow each other (joining them would copy the large one for every answer), or a stream. */
export type Encoded = string | Buffer | readonly Buffer[] | Readable;

export interface SentText {
  /** Characters. */
  readonly length: number;
  /** The one that costs the least first. */
  readonly encodings: readonly Encoding[];
  readonly encoded: (encoding: Encoding) => Encoded | Promise<Encoded>;
}

/**
 * Up to this length a text is compressed at once: that takes less than 1 ms of this thread, and a tenth of the time
 * that a stream or another thread would.
 */
const maxAtOnce = 65_536;

/** A longer text is compressed less: 4 MB in a third to half of the time, for a tenth to two fifths more bytes. */
const maxThorough = 1_000_000;
const chunkSize = 262_144;

interface Levels {
  br: number;
  gzip: number;
}

const levelsOf = (length: number): Levels => {
  // Brotli 1 saves nearly as much of a small text as 4.
  if (length <= maxAtOnce) return { br: 1, gzip: 6 };
  return length <= maxThorough ? { br: 4, gzip: 6 } : { br: 1, gzip: 1 };
};

const compressedTo = (
  text: string | Buffer,
  encoding: 'br' | 'gzip',
  { levels, isAtOnce }: { levels: Levels; isAtOnce: boolean },
): Buffer | Promise<Buffer> => {
  const chunks = { chunkSize: Math.min(chunkSize, Math.max(1_024, text.length)) };
  if (encoding === 'gzip') {
    const options = { level: levels.gzip, ...chunks };
    return isAtOnce ? gzipSync(text, options) : promisify(gzip)(text, options);
  }
  const options = { params: brotliParams(levels.br, text.length), ...chunks };
  return isAtOnce ? brotliCompressSync(text, options) : promisify(brotliCompress)(text, options);
};

const compressed = (text: string | Buffer, encoding: 'br' | 'gzip'): Buffer | Promise<Buffer> =>
  compressedTo(text, encoding, {
    levels: levelsOf(text.length),
    isAtOnce: text.length <= maxAtOnce,
  });

/** A text that is sent once. */
export const uncachedText = (text: string): SentText => ({
  length: text.length,
  encodings: ['br', 'gzip', 'identity'],
  encoded: (encoding) => (encoding === 'identity' ? text : compressed(text, encoding)),
});

const fastest = {
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: levelsOf(Infinity).br } },
  gzip: { level: levelsOf(Infinity).gzip },
};

const read = async function* read(parts: readonly (string | JsonSource)[]) {
  for (const part of parts)
    if (typeof part === 'string') yield Buffer.from(part);
    else yield* part.read();
};

/** A text of which a part is not in memory is sent as a stream. */
export const sentParts = (parts: readonly (string | JsonSource)[]): SentText => {
  const [text = ''] = parts;
  if (parts.length < 2 && typeof text === 'string') return uncachedText(text);
  return {
    length: parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : part.bytes), 0),
    encodings: ['br', 'gzip', 'identity'],
    encoded: (encoding) => {
      const plain = Readable.from(read(parts), { objectMode: false });
      if (encoding === 'identity') return plain;
      const compressing = encoding === 'br' ? createBrotliCompress(fastest.br) : createGzip(fastest.gzip);
      // Whoever reads the stream sees its failure.
      return pipeline(plain, compressing, () => {});
    },
  };
};

/** The highest levels cost one and a half to six times as much, for a thirtieth fewer bytes. */
const keptLevels: Levels = { br: 5, gzip: 6 };
const maxKeptAtOnce = 16_384;

/** A text that is sent often: every encoding is created once, when a client wants it. */
export const cachedText = (text: string): SentText => {
  const made = new Map<Encoding, Promise<Buffer>>();
  const make = async (encoding: 'br' | 'gzip'): Promise<Buffer> =>
    ownBytes(
      await compressedTo(text, encoding, { levels: keptLevels, isAtOnce: text.length <= maxKeptAtOnce }),
    );
  return {
    ...uncachedText(text),
    encoded: (encoding) => {
      if (encoding === 'identity') return text;
      const kept = made.get(encoding) ?? make(encoding);
      made.set(encoding, kept);
      return kept;
    },
  };
};

/** The members of an object, as they follow those of other ones. */
export interface SentMembers {
  readonly text: string;
  /** The object of this text, with these members at its end. */
  readonly after: (objectText: string) => SentText;
}

/** Members of an object that are sent often, each time after others. gzip can be joined, Brotli cannot. */
export const cachedMembers = (members: object): SentMembers => {
  const text = JSON.stringify(members);
  const tail = ownBytes(Buffer.from(`,${text.slice(1)}`));
  let deflating: Promise<Buffer> | undefined;
  return {
    text,
    after: (objectText) => {
      const head = Buffer.from(objectText.slice(0, -1));
      return {
        length: objectText.length + text.length - 1,
        encodings: ['gzip', 'br', 'identity'],
        encoded: async (encoding) => {
          if (encoding === 'identity') return [head, tail];
          if (encoding === 'br') return compressed(Buffer.concat([head, tail]), encoding);
          deflating ??= promisify(deflateRaw)(tail, { level: 9 }).then(ownBytes);
          return gzipJoined(head, tail, await deflating);
        },
      };
    },
  };
};
