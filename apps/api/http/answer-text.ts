/** Sends the text of an answer: most clients accept an encoding, and compressing costs more than most answers. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context as KoaContext } from 'koa';
import type { SentText } from '../answers/sent-text.ts';
import { chosenEncoding, leastCompressedBytes } from './documents.ts';

/** A stream that fails ends the connection, so that no client takes a part for the whole. */
const sendStream = async (ctx: KoaContext, stream: Readable): Promise<void> => {
  ctx.respond = false;
  try {
    await pipeline(stream, ctx.res);
  } catch (error) {
    // A client that went away is not an error.
    const isGone = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (!isGone) throw error;
  }
};

export const sendAnswerText = async (ctx: KoaContext, text: SentText): Promise<void> => {
  ctx.type = 'application/json';
  ctx.vary('Accept-Encoding');
  const accepted = ctx.req.headers['accept-encoding'];
  const isPlain = accepted === undefined || text.length < leastCompressedBytes;
  const encoding = isPlain ? 'identity' : chosenEncoding(accepted, ['br', 'gzip', 'identity']);
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  const encoded = await text.encoded(encoding);
  if (encoded instanceof Readable) await sendStream(ctx, encoded);
  else ctx.body = encoded;
};
