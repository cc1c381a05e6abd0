/**
 * Headers, requests and responses of many rows in one compressed text, because the calls of a moment resemble each
 * other: alone they take ten times as much. Its first line is a JSON list with the lengths in bytes, or null, of the
 * headers, request and response of each row; their texts follow.
 */
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { RequestLogRow } from './row.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** `plain` is only in rows that were written before bodies were compressed. */
export type Codec = 'plain' | 'zstd';

/** `shared`: the response was stored as a part of a text that is no longer kept. */
type Entry = [
  headers: number | null,
  request: number | null,
  response: number | null,
  shared?: string | null,
];

interface Bodies {
  headers: string | null;
  request: string | null;
  response: string | null;
}

const sizeOf = (text: string | null): number | null => (text === null ? null : Buffer.byteLength(text));

const entryOf = ({ headers, request, response }: RequestLogRow): Entry => [
  sizeOf(headers),
  sizeOf(request),
  sizeOf(response),
];

export const packBodies = (rows: readonly RequestLogRow[]): Promise<Buffer> => {
  let text = `${JSON.stringify(rows.map(entryOf))}\n`;
  for (const { headers, request, response } of rows)
    text += (headers ?? '') + (request ?? '') + (response ?? '');
  return compress(text);
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
  return entries.map(([headers, request, response, shared]) => {
    const bodies = { headers: next(headers), request: next(request), response: next(response) };
    return typeof shared === 'string' ? { ...bodies, response: null } : bodies;
  });
};
