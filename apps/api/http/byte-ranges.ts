/** Range requests (RFC 9110, 14). */
import type { Context as KoaContext } from 'koa';
import type { ByteRange } from '#domain/ports.ts';

/**
 * The requested part of `size` bytes; null for the whole: without a range, with several, or with one that is not well-formed.
 * `unsatisfiable`: nothing of it exists.
 */
export const byteRange = (header: string, size: number): ByteRange | 'unsatisfiable' | null => {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header) ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  if (last !== '' && Number(last) < Number(first)) return null;
  if (Number(first) >= size) return 'unsatisfiable';
  return { first: Number(first), last: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
};

/** The range of a request, which counts only for the version that `If-Range` names, if it names one. */
export const requestedRange = (ctx: KoaContext, etag: string, size: number): ReturnType<typeof byteRange> => {
  const condition = ctx.get('If-Range');
  return condition !== '' && condition !== etag ? null : byteRange(ctx.get('Range'), size);
};
