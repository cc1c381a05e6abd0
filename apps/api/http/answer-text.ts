/** Sends the text of an answer: most clients accept an encoding, and compressing costs more than most answers. */
import type { Context as KoaContext } from 'koa';
import type { SentText } from '../answers/sent-text.ts';
import { chosenEncoding, leastCompressedBytes } from './documents.ts';

/** Past Koa, which would need one buffer or a stream: both take three times as long for a large answer. */
const sendPieces = (ctx: KoaContext, pieces: readonly Buffer[]): void => {
  ctx.respond = false;
  ctx.length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  ctx.res.cork();
  for (const piece of pieces) ctx.res.write(piece);
  ctx.res.end();
};

export const sendAnswerText = async (ctx: KoaContext, text: SentText): Promise<void> => {
  ctx.type = 'application/json';
  ctx.vary('Accept-Encoding');
  const accepted = ctx.req.headers['accept-encoding'];
  const isPlain = accepted === undefined || text.length < leastCompressedBytes;
  const encoding = isPlain ? 'identity' : chosenEncoding(accepted, text.encodings);
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  const encoded = await text.encoded(encoding);
  if (typeof encoded === 'string' || Buffer.isBuffer(encoded)) ctx.body = encoded;
  else sendPieces(ctx, encoded);
};
