import { filesIn, isFolder } from '#data/feeds/fetch.ts';
import { joinNotamBatches, parseNotamFile } from '#data/feeds/notam/content.ts';
import { createNmsClient, needsInitialLoad } from '#data/feeds/notam/nms.ts';
import { nmsTransport } from '#data/feeds/notam/nms-transport.ts';
import { SourceError, shownAddress } from '#data/feeds/source-error.ts';
import { notamRepo, notamWrites } from '#data/postgres/notam/notam.ts';
import { addSeconds } from '#domain/time.ts';
import type { Notam, NotamBatch } from '#domain/notam/types.ts';
import { defineFeed } from '../define-feed.ts';
import type { FeedScope, FeedSource } from '../define-feed.ts';

interface Delivery extends NotamBatch {
  /** Owner of the set: `nms`, `files`, `hand`. */
  source: string;
  /** Everything the source has: what is no longer in it has ended. */
  isComplete: boolean;
}

/** An estimated end is not final, but counts after a month. */
const estimatedSeconds = 32 * 86_400;
const keptSeconds = 30 * 86_400;
/** Deltas overlap, because the service's clock and ours differ. */
const overlapSeconds = 600;
const noSource = 'No NOTAM source is configured: set NOTAM_URL, or use npm run ingest -- notam --file.';

/** Over, also for an end that was only estimated. */
const hasEnded = ({ toUtc, isEstimated }: Notam, now: Date): boolean =>
  toUtc !== null && new Date(toUtc) < addSeconds(now, isEstimated ? -estimatedSeconds : 0);

const parseFiles = async (scope: FeedScope, addresses: readonly string[]): Promise<NotamBatch> => {
  const batches: NotamBatch[] = [];
  for (const [done, address] of addresses.entries()) {
    const fetched = await scope.fetch(address, { conditional: false });
    if (fetched.kind !== 'data')
      throw new SourceError('STATUS', `${shownAddress(address)} returned no content.`);
    batches.push(await parseNotamFile(fetched.name, fetched.bytes, scope.now));
    scope.progress(done + 1, addresses.length, 'files');
  }
  return joinNotamBatches(batches);
};

const addressesOf = async (address: string): Promise<string[]> => {
  if (!(await isFolder(address))) return [address];
  const files = (await filesIn(address)).map((file) => file.address);
  if (files.length === 0) throw new SourceError('NOT_FOUND', `${shownAddress(address)} contains no file.`);
  return files;
};

/** A folder or an address that always contains everything in force. */
const completeSource = (scope: FeedScope, address: string): FeedSource<Delivery> => ({
  label: shownAddress(address),
  read: async () => {
    const addresses = await addressesOf(address);
    const known = Object.keys(scope.state?.validators ?? {});
    // A removed file produces no answer.
    const isSameSet = known.length === addresses.length && addresses.every((each) => known.includes(each));
    if (isSameSet) {
      const answers = await Promise.all(addresses.map((each) => scope.fetch(each)));
      if (answers.every(({ kind }) => kind === 'notModified')) return null;
    }
    return { ...(await parseFiles(scope, addresses)), source: 'files', isComplete: true };
  },
});

/** The FAA's service: changes since the last run, everything once a day and after a gap. */
const serviceSource = (scope: FeedScope, baseUrl: string): FeedSource<Delivery> => {
  const { NOTAM_CLIENT_ID, NOTAM_CLIENT_SECRET, NOTAM_TOKEN_URL } = scope.config;
  const label = shownAddress(baseUrl);
  return {
    label,
    read: async () => {
      const client = createNmsClient({
        baseUrl,
        tokenUrl: NOTAM_TOKEN_URL,
        clientId: NOTAM_CLIENT_ID ?? '',
        clientSecret: NOTAM_CLIENT_SECRET ?? '',
        transport: nmsTransport(scope.http, scope.signal, 120_000),
        now: () => Date.now(),
      });
      const last = scope.state?.lastSource === label ? scope.state.lastSuccessAt : null;
      const isDaily = scope.slot.getUTCHours() === 3 && scope.slot.getUTCMinutes() < 5;
      if (last === null || isDaily || scope.force || needsInitialLoad(last, scope.now))
        return { ...(await client.initialLoad()), source: 'nms', isComplete: true };
      const batch = await client.delta(addSeconds(last, -overlapSeconds));
      return { ...batch, source: 'nms', isComplete: false };
    },
  };
};

const sourceOf = (scope: FeedScope): FeedSource<Delivery> => {
  const { config, override } = scope;
  if (override !== undefined)
    return {
      label: shownAddress(override),
      // Added to the NOTAM of other sources; each ends by its own validity.
      read: async () => ({
        ...(await parseFiles(scope, await addressesOf(override))),
        source: 'hand',
        isComplete: false,
      }),
    };
  // Never reached: without a source the feed is off.
  if (config.NOTAM_URL === undefined) throw new SourceError('NOT_FOUND', noSource);
  return config.NOTAM_CLIENT_ID === undefined
    ? completeSource(scope, config.NOTAM_URL)
    : serviceSource(scope, config.NOTAM_URL);
};

/**
 * NOTAM of the FAA's service, of a folder or address of files, or from the command line, parsed into runway
 * effects.
 */
export default defineFeed<Delivery, Delivery>({
  name: 'notam',
  schedule: '*/5 * * * *',
  graceMinutes: 60,
  staleMinutes: 24 * 60,
  timeoutSeconds: 870,
  maxBytes: 256_000_000,
  content: 'text',
  // For a delta, which may have any size, nothing is given as stored.
  guards: { compareWith: 'stored' },
  off: ({ NOTAM_URL }) => (NOTAM_URL === undefined ? noSource : null),
  sources: (scope) => [sourceOf(scope)],
  parse: async (raw, { db }) => {
    if (raw.records.length === 0 && (raw.isComplete || raw.source === 'hand'))
      throw new SourceError('CORRUPT', 'The source contains no readable NOTAM.');
    return {
      records: raw,
      count: raw.records.length,
      stored: raw.isComplete ? await notamRepo(db).count(raw.source) : 0,
      rejects: raw.rejects.map(({ reason, raw: sample }) => ({ reason, sample: sample.slice(0, 120) })),
    };
  },
  // Changes may consist of cancellations alone.
  guard: ({ records: { records, source, isComplete } }, { now }) =>
    (isComplete || source === 'hand') && records.length > 0 && records.every((notam) => hasEnded(notam, now))
      ? 'every NOTAM of the delivery has ended'
      : null,
  store: async (tx, { records, source, isComplete }, { now, progress }) => {
    progress(0, records.length, 'NOTAM');
    const written = await notamWrites(tx).store(records, { source, now, isComplete });
    progress(records.length, records.length, 'NOTAM');
    await notamWrites(tx).prune(addSeconds(now, -keptSeconds));
    return written;
  },
});
