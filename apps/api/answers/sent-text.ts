/** The text of an answer in the encodings in which it can be sent. */
import { Readable, pipeline } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from 'node:zlib';
import type { JsonSource } from '#domain/text/json-text.ts';
import { brotliParams } from '../http/documents.ts';
import type { Encoding } from '../http/documents.ts';

/** A text, bytes, or a stream. */
export type Encoded = string | Buffer | Readable;

export interface SentText {
  /** Characters. */
  readonly length: number;
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

const levelsOf = (length: number): { br: number; gzip: number } => {
  // Brotli 1 saves nearly as much of a small text as 4.
  if (length <= maxAtOnce) return { br: 1, gzip: 6 };
  return length <= maxThorough ? { br: 4, gzip: 6 } : { br: 1, gzip: 1 };
};

const compressed = (text: string, encoding: 'br' | 'gzip'): Buffer | Promise<Buffer> => {
  const levels = levelsOf(text.length);
  const isAtOnce = text.length <= maxAtOnce;
  const chunks = { chunkSize: Math.min(chunkSize, Math.max(1_024, text.length)) };
  if (encoding === 'gzip') {
    const options = { level: levels.gzip, ...chunks };
    return isAtOnce ? gzipSync(text, options) : promisify(gzip)(text, options);
  }
  const options = { params: brotliParams(levels.br, text.length), ...chunks };
  return isAtOnce ? brotliCompressSync(text, options) : promisify(brotliCompress)(text, options);
};

export const sentText = (text: string): SentText => ({
  length: text.length,
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

/** Text not fully in memory is streamed. */
export const sentParts = (parts: readonly (string | JsonSource)[]): SentText => {
  const [text = ''] = parts;
  if (parts.length < 2 && typeof text === 'string') return sentText(text);
  return {
    length: parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : part.bytes), 0),
    encoded: (encoding) => {
      const plain = Readable.from(read(parts), { objectMode: false });
      if (encoding === 'identity') return plain;
      const compressing = encoding === 'br' ? createBrotliCompress(fastest.br) : createGzip(fastest.gzip);
      // Whoever reads the stream sees its failure.
      return pipeline(plain, compressing, () => {});
    },
  };
};
