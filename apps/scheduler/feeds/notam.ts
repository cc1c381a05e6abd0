import { filesAt } from '#data/feeds/fetch.ts';
import { parseNotamFile } from '#data/feeds/notam/content.ts';
import { needsInitialLoad, nmsDelta, nmsInitialLoad } from '#data/feeds/notam/nms.ts';
import { SourceError, shownAddress } from '#domain/source-error.ts';
import { airportRepo } from '#store/postgres/airports/airports.ts';
import { notamRepo, notamWrites } from '#store/postgres/notam/notam.ts';
import type { ReadDb } from '#store/postgres/sql.ts';
import { addSeconds, daySeconds } from '#domain/time.ts';
import { mergeNotams } from '#domain/notam/parse.ts';
import { hasEnded } from '#domain/notam/types.ts';
import type { NotamBatch } from '#domain/notam/types.ts';
import { defineFeed } from '../define-feed.ts';
import type { Content, FeedScope, FeedSource } from '../define-feed.ts';

interface Delivery extends NotamBatch {
  /** Origin of the set: `nms`, `files`, `hand`. */
  source: string;
  /** True for complete sets: NOTAM missing from them have ended. */
  isComplete: boolean;
}

/** The initial load takes some 90 MB. */
const maxBytes = 256_000_000;
/** Deltas overlap, because clocks differ. */
const overlapSeconds = 600;
const keptDays = 30;
const shownCodes = 10;

const parseFiles = async (files: readonly Content[], now: Date): Promise<NotamBatch> => {
  const batches: NotamBatch[] = [];
  for (const { name, bytes } of files) batches.push(await parseNotamFile(name, bytes, now));
  return mergeNotams(batches.flatMap(({ records, rejects }) => [...records, ...rejects]));
};

const addressesAt = async (address: string): Promise<string[]> =>
  (await filesAt(address)).map((file) => file.address);

/** A folder or address that always has everything in force. */
const readComplete = async (scope: FeedScope, address: string): Promise<Delivery | null> => {
  const addresses = await addressesAt(address);
  const known = new Set(Object.keys(scope.state?.validators ?? {}));
  // A removed file yields no answer.
  const conditional = known.symmetricDifference(new Set(addresses)).size === 0;
  const files = await scope.fetchSet(addresses, { conditional });
  return files && { ...(await parseFiles(files, scope.now)), source: 'files', isComplete: true };
};

/** The FAA's service: changes since the last run, and everything once a day and after a gap. */
const readService = async (scope: FeedScope, { label, baseUrl }: { label: string; baseUrl: string }) => {
  const { NOTAM_CLIENT_ID, NOTAM_CLIENT_SECRET, NOTAM_TOKEN_URL } = scope.config;
  const access = {
    http: scope.http,
    signal: scope.signal,
    timeoutMs: 120_000,
    maxBytes,
    baseUrl,
    tokenUrl: NOTAM_TOKEN_URL,
    clientId: NOTAM_CLIENT_ID ?? '',
    clientSecret: NOTAM_CLIENT_SECRET ?? '',
  };
  const last = scope.state?.lastSource === label ? scope.state.lastSuccessAt : null;
  const isDaily = scope.slot.getUTCHours() === 3 && scope.slot.getUTCMinutes() < 5;
  const isComplete = last === null || isDaily || scope.force || needsInitialLoad(last, scope.now);
  const batch = isComplete
    ? await nmsInitialLoad(access)
    : await nmsDelta(access, addSeconds(last, -overlapSeconds));
  return { ...batch, source: 'nms', isComplete };
};

/** None while `NOTAM_URL` is not set. */
const sourcesOf = (scope: FeedScope): FeedSource<Delivery>[] => {
  const { NOTAM_URL: baseUrl, NOTAM_CLIENT_ID: clientId } = scope.config;
  if (baseUrl === undefined) return [];
  const label = shownAddress(baseUrl);
  const read = () =>
    clientId === undefined ? readComplete(scope, baseUrl) : readService(scope, { label, baseUrl });
  return [{ label, read }];
};

/** Domestic NOTAM name a location, not an airport; without a known airport nobody would see them. */
const unknownAirports = async (db: ReadDb, { records, source }: Delivery): Promise<string | null> => {
  if (source === 'nms') return null;
  const codes = records
    .filter(({ format, effects, flags }) => format === 'faa' && effects.length + flags.length > 0)
    .flatMap(({ airports }) => airports.filter((icao) => /^[A-Z]{4}$/.test(icao)));
  const unknown = new Set(codes);
  for (const { icao } of await airportRepo(db).findByIcaos([...unknown])) unknown.delete(icao);
  if (unknown.size === 0) return null;
  const shown = [...unknown].toSorted().slice(0, shownCodes).join(', ');
  const others = unknown.size > shownCodes ? ` and ${unknown.size - shownCodes} others` : '';
  return `NOTAM about runways of airports that are not known: ${shown}${others}`;
};

/** NOTAM of the FAA's service, of files at an address, or from the command line, parsed into runway effects. */
export default defineFeed<Delivery, Delivery>({
  name: 'notam',
  schedule: '*/5 * * * *',
  graceMinutes: 60,
  staleMinutes: 24 * 60,
  timeoutSeconds: 870,
  maxBytes,
  // A delta may have any size, so it sets no `stored`.
  guards: { compareWith: 'stored' },
  off: ({ NOTAM_URL }) =>
    NOTAM_URL === undefined
      ? 'No NOTAM source is configured: set NOTAM_URL, or use npm run ops -- feeds run notam --file.'
      : null,
  sources: sourcesOf,
  // Added to the NOTAM of other sources; each ends with its own validity.
  readOverride: async (scope, address) => {
    const files = await scope.fetchSet(await addressesAt(address), { conditional: false });
    return { ...(await parseFiles(files ?? [], scope.now)), source: 'hand', isComplete: false };
  },
  parse: async (raw, { db }) => {
    if (raw.records.length === 0 && (raw.isComplete || raw.source === 'hand'))
      throw new SourceError('CORRUPT', 'The source contains no readable NOTAM.');
    return {
      records: raw,
      count: raw.records.length,
      stored: raw.isComplete ? await notamRepo(db).count(raw.source) : 0,
      rejects: raw.rejects.map(({ reason, raw: sample }) => ({ reason, sample: sample.slice(0, 120) })),
      notice: await unknownAirports(db, raw),
    };
  },
  // A delta may consist of cancellations only.
  guard: ({ records: { records, source, isComplete } }, { now }) =>
    (isComplete || source === 'hand') && records.length > 0 && records.every((notam) => hasEnded(notam, now))
      ? 'every NOTAM of the delivery has ended'
      : null,
  store: async (tx, { records, source, isComplete }, { now }) => {
    const written = await notamWrites(tx).store(records, { source, now, isComplete });
    await notamWrites(tx).prune(addSeconds(now, -keptDays * daySeconds));
    return written;
  },
});
