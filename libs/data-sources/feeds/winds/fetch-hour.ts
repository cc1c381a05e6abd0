import { SourceError, shownAddress } from '#domain/source-error.ts';
import { windFieldOf } from './fields.ts';
import { readGrib } from '../../grib/grib.ts';
import type { GribField } from '../../grib/grib.ts';
import { fillTemplate } from './cycle.ts';
import { byteRanges, fieldKey, parseIdx, wantedRecords } from './idx.ts';
import type { ByteRange } from './idx.ts';
import { fetchOctets } from './source-fetch.ts';
import type { SourceFetch } from './source-fetch.ts';
import type { WindSource } from './sources.ts';

const maxIdxOctets = 4 * 1024 * 1024;
const maxHourOctets = 256 * 1024 * 1024;

interface HourRequest {
  source: WindSource;
  cycleMs: number;
  hour: number;
  /** Levels that must be present with u, v and temperature, hPa. */
  requiredLevelsHpa: readonly number[];
  fetch: SourceFetch;
  /** Waits for the source's turn; resolves when the next request may be sent. */
  pace: () => Promise<void>;
}

/**
 * Octets of the wanted fields of one forecast hour, verified: every message complete and of this cycle and
 * hour, and all required levels present. Throws SourceError (NOT_FOUND: not published yet); nothing that failed
 * a check is returned.
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

const get = async (
  { pace, fetch }: HourRequest,
  address: string,
  maxOctets: number,
  range?: ByteRange,
): Promise<Buffer> => {
  await pace();
  return fetchOctets(fetch, address, maxOctets, range);
};

const fetchRanges = async (request: HourRequest, address: string): Promise<Buffer[]> => {
  const { source, cycleMs, hour, requiredLevelsHpa } = request;
  const inventory = `${address}.idx`;
  const records = parseIdx((await get(request, inventory, maxIdxOctets)).toString('latin1'));
  if (records.length === 0)
    throw new SourceError('CORRUPT', `${shownAddress(inventory)} is not an inventory.`);
  const wanted = wantedRecords(records, cycleMs, hour);
  const listed = new Set(wanted.map((field) => field.key));
  const absent = requiredKeys(requiredLevelsHpa).filter((key) => !listed.has(key));
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

const requiredKeys = (levelsHpa: readonly number[]): string[] =>
  levelsHpa.flatMap((level) => ([0, 1, 2] as const).map((index) => fieldKey(index, level)));

const verify = (request: HourRequest, deliveries: readonly Buffer[], shown: string): void => {
  const found = new Set<string>();
  for (const bytes of deliveries) {
    // A range that does not start with a message came from the inventory of another file.
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
  const absent = requiredKeys(request.requiredLevelsHpa).filter((key) => !found.has(key));
  if (absent.length > 0)
    throw new SourceError('STALE', `${shown} lacks ${absent.length} wanted fields, ${absent[0]} first.`);
};

/**
 * The fields of a delivery. Other fields in the same range may use packings that we do not support; a truncated
 * or damaged message is an error.
 */
const fieldsOf = function* (bytes: Buffer, shown: string): Generator<GribField> {
  for (const entry of readGrib(bytes)) {
    if (entry.kind === 'field') yield entry;
    else if (!entry.error.code.startsWith('UNSUPPORTED_')) {
      const code = entry.error.code === 'TRUNCATED' ? 'TRUNCATED' : 'CORRUPT';
      throw new SourceError(code, `${shown}: ${entry.error.message}.`, { cause: entry.error });
    }
  }
};
