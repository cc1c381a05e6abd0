/** Sends the text of an answer: most clients accept an encoding, and compressing costs more than most answers. */
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { Context as KoaContext } from 'koa';
import { chosenEncoding, leastCompressedBytes } from './documents.ts';
import type { Document, Encoding } from './documents.ts';

/**
 * Up to this length a text is compressed at once: that takes less than 1 ms of this thread, and a tenth of the time
 * that a stream or another thread would.
 */
const maxAtOnce = 65_536;

/** Saves nearly as much of a small text as the higher ones, in a third of the time. */
const quickQuality = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const largeQuality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const compressed = (text: string, encoding: Exclude<Encoding, 'identity'>): Buffer | Promise<Buffer> => {
  if (text.length <= maxAtOnce)
    return encoding === 'br' ? brotliCompressSync(text, quickQuality) : gzipSync(text);
  return encoding === 'br' ? promisify(brotliCompress)(text, largeQuality) : promisify(gzip)(text);
};

/** `document` is given for a text that is sent often; its encodings are created once. */
export const sendAnswerText = async (
  ctx: KoaContext,
  text: string,
  document: (() => Document) | null,
): Promise<void> => {
  ctx.type = 'application/json';
  ctx.vary('Accept-Encoding');
  const accepted = ctx.req.headers['accept-encoding'];
  const isPlain = accepted === undefined || text.length < leastCompressedBytes;
  const encoding = isPlain ? 'identity' : chosenEncoding(accepted, ['br', 'gzip', 'identity']);
  if (encoding === 'identity') {
    ctx.body = text;
    return;
  }
  ctx.set('Content-Encoding', encoding);
  ctx.body = await (document ? document().encoded(encoding) : compressed(text, encoding));
};
