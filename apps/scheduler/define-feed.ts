import { join } from 'node:path';
import type { Context } from '#data/context.ts';
import type { Config } from '#platform/config/config.ts';
import type { FetchOptions, Fetched } from '#data/feeds/fetch.ts';
import type { FeedState } from '#store/postgres/feeds/feeds.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import type { Reject } from '#domain/weather/types.ts';
import { loadFolder } from '#platform/load-folder.ts';
import { slotAt } from '#store/schedule/slots.ts';

/** Outcome of one part of a feed with several sources. */
export interface FeedPart {
  /** One of the declared `parts`. */
  name: string;
  /** Number of records; null if it failed. */
  count: number | null;
  dataAt: Date | null;
  error: string | null;
}

export interface Content {
  name: string;
  bytes: Buffer;
}

/** Context of one run of a feed. */
export interface FeedScope extends Readonly<Pick<Context, 'config' | 'http' | 'log' | 'storage'>> {
  /** Time of the run; feeds use no other clock. */
  readonly now: Date;
  readonly slot: Date;
  readonly signal: AbortSignal;
  readonly db: ReadDb;
  readonly state: FeedState | null;
  /** Address from the command line, in place of the configured ones (`file:` or http); skips the freshness check. */
  readonly override: string | undefined;
  /** Started by an operator. */
  readonly isManual: boolean;
  /** Stores the data even if guards object. */
  readonly force: boolean;
  /** Throws SourceError GUARD with this reason; with force the run continues and reports it. */
  refuse: (reason: string) => void;
  /** Reports the outcome of a part: each part has its own age, failures and status line. */
  notePart: (part: FeedPart) => void;
  /** The data come from a simulated server and are marked as such wherever they are shown. */
  isSimulated: () => boolean;
  /** A conditional request, limited in size and decompressed. Throws `SourceError`. */
  fetch: (address: string, options?: FeedFetchOptions) => Promise<Fetched>;
  /** One unconditional request: the content whether or not it has changed. Throws `SourceError`. */
  content: (address: string, options?: FeedFetchOptions) => Promise<Content>;
  /** Several addresses that form one set; null: none of them was modified. */
  fetchSet: (addresses: readonly string[], options?: FeedFetchOptions) => Promise<Content[] | null>;
}

export interface FeedFetchOptions extends Partial<
  Pick<FetchOptions, 'headers' | 'method' | 'form' | 'maxBytes' | 'timeoutMs' | 'allowEmpty'>
> {
  /** False: fetch the whole answer, whatever was stored before. */
  conditional?: boolean;
}

/** A data source; sources are tried in order until one passes parser and guards. */
export interface FeedSource<Raw> {
  /** Name for the log and the run row, without secrets. */
  label: string;
  /** Null: nothing new since the last stored run. */
  read: () => Promise<Raw | null>;
}

export interface Parsed<Records> {
  records: Records;
  /** Size compared by the guards. */
  count: number;
  /** Records read, if `count` excludes duplicates. */
  accepted?: number;
  rejects: readonly Reject[];
  /** Number of rejected records, if `rejects` is only a sample. */
  rejected?: number;
  /** Time of the data: newest report, cycle or file date; null if undated. */
  dataAt?: Date | null;
  /** Time of the data in use; by default that of the last stored run. */
  activeAt?: Date | null;
  /** A notice to the operator despite success; shown until a run stores data without one. */
  notice?: string | null;
  /** Number of records stored now, for `compareWith: 'stored'`. */
  stored?: number;
}

/** Guards on a delivery, enforced for every kind of run (guards.ts). */
interface FeedGuards {
  /** Share of rejected records above which a delivery is refused, half by default; null if rejects are stored. */
  rejectedShare?: number | null;
  /**
   * Refuses fewer than half as many records as the last run from the same source had, or as are stored
   * (`Parsed.stored`).
   */
  compareWith: 'lastRun' | 'stored' | 'nothing';
  /** Maximum age of the newest record. */
  ageMinutes?: number;
  /** For manual runs, whose file may contain a single station. */
  manualAgeMinutes?: number;
  /** Refuses a delivery older than the stored data. */
  notOlderThanStored?: boolean;
  /** Name of the dated unit in messages: `report`, `cycle`. */
  dataName?: string;
}

/** A feed. The runner handles run rows, state, conditional requests, transaction, guards and retained raw input. */
export interface Feed<Raw = unknown, Records = unknown> {
  /** Wire name, for example `metar`. */
  name: string;
  /** Five cron fields, UTC. */
  schedule: string;
  /** Age of the last success after which the feed is late. */
  graceMinutes: number;
  /** Age of the last success after which the feed is down. */
  staleMinutes: number;
  timeoutSeconds: number;
  maxBytes: number;
  /** Anything else is text, and refused before parsing if it contains control characters. */
  isBinary?: true;
  guards: FeedGuards;
  sources: (scope: FeedScope) => readonly FeedSource<Raw>[];
  /** Reads an address from the command line; without this, `sources` do. */
  readOverride?: (scope: FeedScope, address: string) => Promise<Raw>;
  parse: (raw: Raw, scope: FeedScope) => Parsed<Records> | Promise<Parsed<Records>>;
  /** Runs in one transaction. Returns the number of rows written. */
  store: (tx: Tx, records: Records, scope: FeedScope) => Promise<number>;
  /** Why this configuration has no source; null if it has one. */
  off?: (config: Config) => string | null;
  /** A reason to refuse, in addition to the declared guards. */
  guard?: (parsed: Parsed<Records>, scope: FeedScope) => string | null;
  /** Parts that succeed and fail separately; the status shows each as `<name>.<part>`. */
  parts?: readonly string[];
  /** Feeds derived from this one's data, enqueued when a run has written something. */
  followedBy?: readonly string[];
}

/** Checks a feed's types and schedule at its definition; the registry holds feeds of any record type. */
export const defineFeed = <Raw, Records>(feed: Feed<Raw, Records>): Feed => {
  slotAt(feed.schedule, new Date());
  return feed as unknown as Feed;
};

const isFeed = (value: unknown): value is Feed =>
  typeof value === 'object' && value !== null && 'name' in value && 'schedule' in value && 'store' in value;

/** All feeds in `feeds/` by name. Startup fails unless each file exports the feed of its name. */
export const loadFeeds = async (
  folder = join(import.meta.dirname, 'feeds'),
): Promise<ReadonlyMap<string, Feed>> => {
  const feeds = new Map<string, Feed>();
  for (const { name, module } of await loadFolder(folder)) {
    const feed = module.default;
    if (!isFeed(feed) || feed.name !== name)
      throw new Error(`feeds/${name}.ts must default-export a feed named "${name}"`);
    feeds.set(name, feed);
  }
  for (const { name, followedBy = [] } of feeds.values())
    for (const follower of followedBy)
      if (!feeds.has(follower))
        throw new Error(`feeds/${name}.ts is followed by ${follower}, which is not a feed`);
  return feeds;
};
