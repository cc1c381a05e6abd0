import { fillTemplate } from './cycle.ts';
import { WindFeedError } from './errors.ts';
import type { WindFetch, WindResponse } from './http.ts';
import { byteRanges, fieldKey, fieldKeys, parseIdx, wantedRecords } from './idx.ts';
import type { ByteRange } from './idx.ts';
import { gribFields, GribError } from '../../grib/grib.ts';
import { windFieldOf } from './fields.ts';
import { withFilterFields } from './filter-url.ts';
import type { WindSource } from './sources.ts';

const MAX_IDX_OCTETS = 4 * 1024 * 1024;
const MAX_HOUR_OCTETS = 256 * 1024 * 1024;

export interface HourRequest {
  source: WindSource;
  cycleMs: number;
  hour: number;
  /** Levels that must be there with u, v and temperature, hPa. */
  requiredLevelsHpa: readonly number[];
  fetch: WindFetch;
  /** Waits for the source's turn; resolves when the next request may go out. */
  pace: () => Promise<void>;
  signal?: AbortSignal | undefined;
}

/**
 * Octets of the wanted fields of one forecast hour, verified: every message whole, of this cycle and hour, and
 * all required levels there. Throws WindFeedError; nothing that failed a check is returned.
 */
export async function fetchHour(request: HourRequest): Promise<Buffer[]> {
  const url = fillTemplate(request.source.template, request.cycleMs, request.hour);
  const deliveries =
    request.source.kind === 'whole'
      ? [await get(request, withFilterFields(url), MAX_HOUR_OCTETS)]
      : await fetchRanges(request, url);
  verify(request, deliveries, url);
  return deliveries;
}

async function get(request: HourRequest, url: string, maxOctets: number, range?: ByteRange): Promise<Buffer> {
  await request.pace();
  const response = await request.fetch(url, {
    maxOctets,
    signal: request.signal,
    ...(range ? { range } : {}),
  });
  return bodyOf(response, url, range);
}

/** The body of a good answer; every other status becomes the error it stands for. */
function bodyOf({ status, body, retryAfterSeconds }: WindResponse, url: string, range?: ByteRange): Buffer {
  if (status === 404) throw new WindFeedError('NOT_PUBLISHED', `${url} is not there yet`);
  // Redirects lead to a block page: this is throttling, not a missing file.
  if (status >= 300 && status < 400) throw new WindFeedError('REDIRECTED', `${url} answered ${status}`);
  if (status === 429) throw new WindFeedError('THROTTLED', `${url} answered 429`, { retryAfterSeconds });
  if (status === 403) throw new WindFeedError('FORBIDDEN', `${url} answered 403: too old, or blocked`);
  if (status === 416) throw new WindFeedError('STALE_INDEX', `${url} is shorter than its inventory says`);
  if (status !== 200 && status !== 206)
    throw new WindFeedError('HTTP_STATUS', `${url} answered ${status}`, { retryAfterSeconds });
  if (!range) return body;
  // A server that ignores ranges sends everything with 200.
  const part = status === 200 ? body.subarray(range.start, range.end ?? body.length) : body;
  if (range.end !== null && part.length !== range.end - range.start)
    throw new WindFeedError(
      'STALE_INDEX',
      `${url} gave ${part.length} octets for a range of ${range.end - range.start}`,
    );
  return part;
}

async function fetchRanges(request: HourRequest, url: string): Promise<Buffer[]> {
  const { source, cycleMs, hour, requiredLevelsHpa } = request;
  const text = (await get(request, `${url}.idx`, MAX_IDX_OCTETS)).toString('latin1');
  const records = parseIdx(text);
  if (records.length === 0) throw new WindFeedError('NOT_GRIB', `${url}.idx is not an inventory`);
  const wanted = wantedRecords(records, cycleMs, hour);
  const listed = fieldKeys(wanted);
  const absent = requiredKeys(requiredLevelsHpa).filter((key) => !listed.has(key));
  if (absent.length > 0)
    throw new WindFeedError(
      'STALE_INDEX',
      `${url}.idx lacks ${absent.length} fields of this hour and cycle, ${absent[0]} first`,
    );
  const ranges = byteRanges(wanted, source.maxGapOctets);
  const parts: Buffer[] = [];
  for (let i = 0; i < ranges.length; i += source.parallel) {
    const batch = ranges.slice(i, i + source.parallel);
    parts.push(...(await Promise.all(batch.map((range) => get(request, url, MAX_HOUR_OCTETS, range)))));
  }
  return parts;
}

const requiredKeys = (levelsHpa: readonly number[]): string[] =>
  levelsHpa.flatMap((level) => ([0, 1, 2] as const).map((index) => fieldKey(index, level)));

function verify(request: HourRequest, deliveries: readonly Buffer[], url: string): void {
  const found = new Set<string>();
  for (const bytes of deliveries) {
    if (bytes.subarray(0, 4).toString('latin1') !== 'GRIB')
      throw new WindFeedError('NOT_GRIB', `${url} gave ${bytes.length} octets that are not GRIB`);
    for (const field of fieldsOf(bytes, url)) {
      const wind = windFieldOf(field);
      if (!wind) continue;
      if (field.referenceTimeMs !== request.cycleMs || field.forecastHour !== request.hour)
        throw new WindFeedError(
          'STALE_INDEX',
          `${url} holds hour ${field.forecastHour} of ${new Date(field.referenceTimeMs).toISOString()}`,
        );
      found.add(fieldKey(wind.index, wind.levelHpa));
    }
  }
  const absent = requiredKeys(request.requiredLevelsHpa).filter((key) => !found.has(key));
  if (absent.length > 0)
    throw new WindFeedError('DAMAGED', `${url} lacks ${absent.length} wanted fields, ${absent[0]} first`);
}

function fieldsOf(bytes: Buffer, url: string) {
  try {
    return [...gribFields(bytes)];
  } catch (error) {
    if (!(error instanceof GribError)) throw error;
    throw new WindFeedError('DAMAGED', `${url}: ${error.message}`, { cause: error });
  }
}
