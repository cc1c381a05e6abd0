/** Sends the text of an answer: most clients accept an encoding, and compressing costs more than most answers. */
import type { Context as KoaContext } from 'koa';
import type { SentText } from '../answers/sent-text.ts';
import { chosenEncoding, leastCompressedBytes } from './documents.ts';

export const sendAnswerText = async (ctx: KoaContext, text: SentText): Promise<void> => {
  ctx.type = 'application/json';
  ctx.vary('Accept-Encoding');
  const accepted = ctx.req.headers['accept-encoding'];
  const isPlain = accepted === undefined || text.length < leastCompressedBytes;
  const encoding = isPlain ? 'identity' : chosenEncoding(accepted, text.encodings);
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  ctx.body = await text.encoded(encoding);
};
