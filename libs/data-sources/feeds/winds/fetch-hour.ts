import { SourceError, shownAddress } from '#domain/source-error.ts';
import { windFieldOf, byteRanges, fieldKey, parseIdx, requiredKeys, wantedRecords } from './idx.ts';
import { readGrib } from '../../grib/read.ts';
import type { GribError } from '../../grib/error.ts';
import type { GribField } from '../../grib/message.ts';
import { fillTemplate } from './sources.ts';
import type { ByteRange } from './idx.ts';
import type { WindSource } from './sources.ts';
import type { Fetched } from '../fetch.ts';

/** One unconditional request within the feed runner's limits; throws SourceError. */
export type SourceFetch = (
  address: string,
  options: { headers?: Record<string, string>; maxBytes: number; timeoutMs: number; conditional: false },
) => Promise<Fetched>;

const timeoutMs = 120_000;
const maxIdxOctets = 4 * 1024 * 1024;
const maxHourOctets = 256 * 1024 * 1024;

interface HourRequest {
  source: WindSource;
  cycleMs: number;
  hour: number;
  fetch: SourceFetch;
  /** Resolves when the next request to the source may be sent. */
  pace: () => Promise<void>;
}

/**
 * Verified octets of the wanted fields for one forecast hour: every message is complete and belongs to this cycle and
 * hour, and all required levels are present. Throws SourceError (NOT_FOUND: not published yet) and never returns
 * unverified data.
 */
export const fetchHour = async (request: HourRequest): Promise<Buffer[]> => {
  const address = fillTemplate(request.source.template, request.cycleMs, request.hour);
  const deliveries =
    request.source.kind === 'whole'
      ? [await get(request, address, maxHourOctets)]
      : await fetchRanges(request, address);
  verify(request, deliveries, shownAddress(address));
  return deliveries;
};

/**
 * Octets at an address, or a range of them. Where a server or file ignores ranges, the range is cut from the full
 * answer. Throws SourceError: STALE when the answer is shorter than the range.
 */
const get = async (
  { pace, fetch }: HourRequest,
  address: string,
  maxBytes: number,
  range?: ByteRange,
): Promise<Buffer> => {
  await pace();
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

const fetchRanges = async (request: HourRequest, address: string): Promise<Buffer[]> => {
  const { source, cycleMs, hour } = request;
  const inventory = `${address}.idx`;
  const records = parseIdx((await get(request, inventory, maxIdxOctets)).toString('latin1'));
  if (records.length === 0)
    throw new SourceError('CORRUPT', `${shownAddress(inventory)} is not an inventory.`);
  const wanted = wantedRecords(records, cycleMs, hour);
  const listed = new Set(wanted.map((field) => field.key));
  const absent = requiredKeys.filter((key) => !listed.has(key));
  if (absent.length > 0)
    throw new SourceError(
      'STALE',
      `${shownAddress(inventory)} lacks ${absent.length} fields of this hour and cycle, ${absent[0]} first.`,
    );
  const ranges = byteRanges(wanted, source.maxGapOctets);
  const parts: Buffer[] = [];
  for (let i = 0; i < ranges.length; i += source.parallel) {
    const batch = ranges.slice(i, i + source.parallel);
    parts.push(...(await Promise.all(batch.map((range) => get(request, address, maxHourOctets, range)))));
  }
  return parts;
};

const verify = (request: HourRequest, deliveries: readonly Buffer[], shown: string): void => {
  const found = new Set<string>();
  for (const bytes of deliveries) {
    // Without a message at its start, the range came from the inventory of another file.
    if (bytes.subarray(0, 4).toString('latin1') !== 'GRIB')
      throw new SourceError('STALE', `${shown} returned ${bytes.length} octets that do not start with GRIB.`);
    for (const field of fieldsOf(bytes, shown)) {
      const wind = windFieldOf(field);
      if (!wind) continue;
      if (field.referenceTimeMs !== request.cycleMs || field.forecastHour !== request.hour)
        throw new SourceError(
          'STALE',
          `${shown} holds hour ${field.forecastHour} of ${new Date(field.referenceTimeMs).toISOString()}.`,
        );
      found.add(fieldKey(wind.index, wind.levelHpa));
    }
  }
  const absent = requiredKeys.filter((key) => !found.has(key));
  if (absent.length > 0)
    throw new SourceError('STALE', `${shown} lacks ${absent.length} wanted fields, ${absent[0]} first.`);
};

export const damaged = (name: string, error: GribError): SourceError => {
  const code = error.code === 'TRUNCATED' ? 'TRUNCATED' : 'CORRUPT';
  return new SourceError(code, `${name}: ${error.message}`, { cause: error });
};

/**
 * Fields in a delivery. Those with unsupported grids or packings are skipped; a truncated or damaged message
 * invalidates the delivery.
 */
export const fieldsOf = function* (bytes: Uint8Array, name: string): Generator<GribField> {
  for (const entry of readGrib(bytes)) {
    if (entry.kind === 'field') yield entry;
    else if (!entry.error.code.startsWith('UNSUPPORTED_')) throw damaged(name, entry.error);
  }
};
