import type { Context as KoaContext } from 'koa';
import type { BodyReader } from '../call.ts';
import { commonError } from '../errors.ts';

/** The bytes as received, without decoding; throws PAYLOAD_TOO_LARGE for more than `maxBytes`. */
export const rawBodyReader =
  (ctx: KoaContext, maxBytes: number): BodyReader =>
  async () => {
    const tooLarge = () =>
      commonError('PAYLOAD_TOO_LARGE', { message: `A message may have at most ${maxBytes} bytes.` });
    if ((ctx.request.length ?? 0) > maxBytes) throw tooLarge();
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
    return { fields: {}, text: null, bytes, raw: Buffer.concat(chunks) };
  };
