/** Sources of NOTAM: the FAA's service, a folder or address with files, or the command line. */
import { filesIn, isFolder } from '#data/feeds/fetch.ts';
import { joinNotamBatches, parseNotamFile } from '#data/feeds/notam/content.ts';
import { needsInitialLoad, nmsDelta, nmsInitialLoad } from '#data/feeds/notam/nms.ts';
import { SourceError, shownAddress } from '#domain/source-error.ts';
import { addSeconds } from '#domain/time.ts';
import type { NotamBatch } from '#domain/notam/types.ts';
import type { FeedScope, FeedSource } from '../define-feed.ts';
import { contentOf } from './content.ts';

export interface Delivery extends NotamBatch {
  /** Origin of the set: `nms`, `files`, `hand`. */
  source: string;
  /** True for complete sets: NOTAM missing from them have ended. */
  isComplete: boolean;
}

/** The initial load takes some 90 MB. */
const maxBytes = 256_000_000;
/** Deltas overlap, because clocks differ. */
const overlapSeconds = 600;
export const noSource =
  'No NOTAM source is configured: set NOTAM_URL, or use npm run ops -- feeds run notam --file.';

const parseFiles = async (scope: FeedScope, addresses: readonly string[]): Promise<NotamBatch> => {
  const batches: NotamBatch[] = [];
  for (const address of addresses) {
    const { name, bytes } = await contentOf(scope, address);
    batches.push(await parseNotamFile(name, bytes, scope.now));
  }
  return joinNotamBatches(batches);
};

const addressesOf = async (address: string): Promise<string[]> => {
  if (!(await isFolder(address))) return [address];
  const files = (await filesIn(address)).map((file) => file.address);
  if (files.length === 0) throw new SourceError('NOT_FOUND', `${shownAddress(address)} contains no file.`);
  return files;
};

/** A folder or address that always has everything in force. */
const completeSource = (scope: FeedScope, address: string): FeedSource<Delivery> => ({
  label: shownAddress(address),
  read: async () => {
    const addresses = await addressesOf(address);
    const known = Object.keys(scope.state?.validators ?? {});
    // A removed file yields no answer.
    const isSameSet = known.length === addresses.length && addresses.every((each) => known.includes(each));
    if (isSameSet) {
      const answers = await Promise.all(addresses.map((each) => scope.fetch(each)));
      if (answers.every(({ kind }) => kind === 'notModified')) return null;
    }
    return { ...(await parseFiles(scope, addresses)), source: 'files', isComplete: true };
  },
});

/** The FAA's service: changes since the last run, and everything once a day and after a gap. */
const serviceSource = (scope: FeedScope, baseUrl: string): FeedSource<Delivery> => {
  const { NOTAM_CLIENT_ID, NOTAM_CLIENT_SECRET, NOTAM_TOKEN_URL } = scope.config;
  const label = shownAddress(baseUrl);
  return {
    label,
    read: async () => {
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
      if (last === null || isDaily || scope.force || needsInitialLoad(last, scope.now))
        return { ...(await nmsInitialLoad(access)), source: 'nms', isComplete: true };
      return {
        ...(await nmsDelta(access, addSeconds(last, -overlapSeconds))),
        source: 'nms',
        isComplete: false,
      };
    },
  };
};

export const notamSource = (scope: FeedScope): FeedSource<Delivery> => {
  const { config, override } = scope;
  if (override !== undefined)
    return {
      label: shownAddress(override),
      // Added to the NOTAM of other sources; each ends with its own validity.
      read: async () => ({
        ...(await parseFiles(scope, await addressesOf(override))),
        source: 'hand',
        isComplete: false,
      }),
    };
  // Unreachable: without a source, the feed is off.
  if (config.NOTAM_URL === undefined) throw new SourceError('NOT_FOUND', noSource);
  return config.NOTAM_CLIENT_ID === undefined
    ? completeSource(scope, config.NOTAM_URL)
    : serviceSource(scope, config.NOTAM_URL);
};
