import type { Fetched } from '../fetch.ts';
import { SourceError, shownAddress } from '#domain/source-error.ts';
import type { ByteRange } from './idx.ts';

/** One unconditional request with the limits of the feed runner; throws SourceError. */
export type SourceFetch = (
  address: string,
  options: { headers?: Record<string, string>; maxBytes: number; timeoutMs: number; conditional: false },
) => Promise<Fetched>;

const timeoutMs = 120_000;

/**
 * The octets of an address or of a range of it. A server (or a file) that ignores ranges returns everything,
 * from which the range is cut. Throws SourceError: STALE when the answer is shorter than the range.
 */
export const fetchOctets = async (
  fetch: SourceFetch,
  address: string,
  maxBytes: number,
  range?: ByteRange,
): Promise<Buffer> => {
  const headers = range
    ? { headers: { range: `bytes=${range.start}-${range.end === null ? '' : range.end - 1}` } }
    : {};
  const fetched = await fetch(address, { maxBytes, timeoutMs, conditional: false, ...headers });
  if (fetched.kind !== 'data')
    throw new SourceError('STATUS', `${shownAddress(address)} answered an unconditional request with 304.`);
  const { bytes } = fetched;
  if (!range || range.end === null) return bytes;
  const wanted = range.end - range.start;
  if (bytes.length === wanted) return bytes;
  if (bytes.length >= range.end) return bytes.subarray(range.start, range.end);
  throw new SourceError(
    'STALE',
    `${shownAddress(address)} returned ${bytes.length} octets for a range of ${wanted}: the inventory is not of this file.`,
  );
};
