/**
 * Headers, requests and responses of many rows in one compressed text, because the calls of a moment resemble each
 * other: alone they take ten times as much. Its first line is a JSON list with `[headers, request, response, digest,
 * head, tail]` of each row, the first three as lengths in bytes or null; their texts follow.
 */
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { RequestLogRow } from './row.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** `plain` is only in rows that were written before bodies were compressed. */
export type Codec = 'plain' | 'zstd';

export const packText = (text: string): Promise<Buffer> => compress(text);

export const unpackText = async (codec: Codec, content: Buffer): Promise<string> =>
  (codec === 'zstd' ? await decompress(content) : content).toString('utf8');

type Sizes = [headers: number | null, request: number | null, response: number | null];
type Entry = [...Sizes, digest?: string | null, head?: number | null, tail?: number | null];

export interface Bodies {
  headers: string | null;
  request: string | null;
  response: string | null;
  /** The response is this text with `response` between its first `head` and last `tail` characters. */
  shared: { digest: Buffer; head: number; tail: number } | null;
}

const sizeOf = (text: string | null): number | null => (text === null ? null : Buffer.byteLength(text));

const entryOf = ({ headers, request, response, sharedResponse: shared }: RequestLogRow): Entry => {
  const sizes: Sizes = [sizeOf(headers), sizeOf(request), sizeOf(response)];
  return shared ? [...sizes, shared.of.digest.toString('hex'), shared.head, shared.tail] : sizes;
};

export const packBodies = (rows: readonly RequestLogRow[]): Promise<Buffer> => {
  let text = `${JSON.stringify(rows.map(entryOf))}\n`;
  for (const { headers, request, response } of rows)
    text += (headers ?? '') + (request ?? '') + (response ?? '');
  return packText(text);
};

export const unpackBodies = async (codec: Codec, content: Buffer): Promise<Bodies[]> => {
  const bytes = codec === 'zstd' ? await decompress(content) : content;
  const firstLine = bytes.indexOf('\n');
  const entries = JSON.parse(bytes.toString('utf8', 0, firstLine)) as Entry[];
  let at = firstLine + 1;
  const next = (size: number | null): string | null => {
    if (size === null) return null;
    at += size;
    return bytes.toString('utf8', at - size, at);
  };
  return entries.map(([headers, request, response, digest, head, tail]) => ({
    headers: next(headers),
    request: next(request),
    response: next(response),
    shared:
      typeof digest === 'string'
        ? { digest: Buffer.from(digest, 'hex'), head: head ?? 0, tail: tail ?? 0 }
        : null,
  }));
};
