import type { Logger } from 'pino';
import type { Config } from '#platform/config/config.ts';
import type { FetchOptions, Fetched } from '#data/feeds/fetch.ts';
import type { Http } from '#platform/http.ts';
import type { FeedState } from '#store/postgres/feeds/feeds.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import type { FileStorage } from '#domain/ports.ts';
import type { Reject } from '#domain/weather/types.ts';
import { slotAt } from '#store/schedule/slots.ts';

/** Outcome of one part of a feed that has several sources. */
export interface FeedPart {
  /** One of the declared `parts`. */
  name: string;
  /** Records; null when it failed. */
  count: number | null;
  dataAt: Date | null;
  error: string | null;
}

/** Context of one run of a feed. */
export interface FeedScope {
  readonly config: Config;
  readonly log: Logger;
  /** Time of the run, the only clock of a feed. */
  readonly now: Date;
  readonly slot: Date;
  readonly signal: AbortSignal;
  readonly db: ReadDb;
  readonly http: Http;
  readonly storage: FileStorage;
  readonly state: FeedState | null;
  /**
   * Address from the command line instead of the configured ones (`file:` or http); freshness is then not
   * checked.
   */
  readonly override: string | undefined;
  /** Started by an operator. */
  readonly isManual: boolean;
  /** The operator wants the data stored regardless of the guards. */
  readonly force: boolean;
  /** Throws SourceError GUARD with this reason; with force the run continues and reports what was overridden. */
  refuse: (reason: string) => void;
  /** Reports how a part of the feed went: each has its own age, failures and line in the status. */
  notePart: (part: FeedPart) => void;
  /** The data come from a simulated server and are marked as such wherever they are shown. */
  isSimulated: () => boolean;
  /** One request, conditional on what was stored last, limited in size and unpacked. Throws `SourceError`. */
  fetch: (address: string, options?: FeedFetchOptions) => Promise<Fetched>;
  /** Several addresses that form one set: not modified only when none of them is. */
  fetchSet: (addresses: readonly string[], options?: FeedFetchOptions) => Promise<Buffer[] | null>;
}

export interface FeedFetchOptions extends Partial<
  Pick<FetchOptions, 'headers' | 'method' | 'form' | 'maxBytes' | 'timeoutMs' | 'allowEmpty'>
> {
  /** False: fetch the whole answer regardless of what was stored before. */
  conditional?: boolean;
}

/** A source of the data; sources are tried in order until one passes parse and guard. */
export interface FeedSource<Raw> {
  /** Name for the log and the run row, without secrets. */
  label: string;
  /** Null: nothing new since the last stored run. */
  read: () => Promise<Raw | null>;
}

export interface Parsed<Records> {
  records: Records;
  /** Size for the guard. */
  count: number;
  /** Records read, where `count` leaves out repeated ones. */
  accepted?: number;
  rejects: readonly Reject[];
  /** All rejected records, where `rejects` is a sample or has other entries. */
  rejected?: number;
  /** Time of the data: newest report, cycle, date of the file; null when undated. */
  dataAt?: Date | null;
  /** The same of the data in use; default that of the last stored run. */
  activeAt?: Date | null;
  /** What the operator should know although the run succeeded: shown until a run stores without one. */
  notice?: string | null;
  /** Records that are stored now, for `compareWith: 'stored'`. */
  stored?: number;
}

/** Rules for a delivery, enforced by the runner for every way to start a run (guards.ts). */
interface FeedGuards {
  /** Share of rejected records from which a delivery is refused, default half; null where rejects are stored. */
  rejectedShare?: number | null;
  /**
   * Refuses less than half of the last run from the same source, or of what is stored (`Parsed.stored`). `store`:
   * the repository compares within its transaction.
   */
  compareWith: 'lastRun' | 'stored' | 'store' | 'nothing';
  /** Age of the newest record from which a delivery is refused. */
  ageMinutes?: number;
  /** The same for a manual run, whose file may hold a single station. */
  manualAgeMinutes?: number;
  /** Refuses a delivery whose time is before that of the stored data. */
  notOlderThanStored?: boolean;
  /** What has the age, for messages: `report`, `cycle`. */
  dataName?: string;
}

/**
 * One feed. The runner handles run rows, state, conditional requests, transaction, guard and retained raw
 * input.
 */
export interface Feed<Raw = unknown, Records = unknown> {
  /** Wire name, for example `metar`. */
  name: string;
  /** Five cron fields, UTC. */
  schedule: string;
  /** Age of the last success after which the feed is late, and after which it is an error. */
  graceMinutes: number;
  staleMinutes: number;
  timeoutSeconds: number;
  maxBytes: number;
  /** `text`: an answer with control characters is refused before it is parsed. */
  content: 'text' | 'binary';
  guards: FeedGuards;
  sources: (scope: FeedScope) => readonly FeedSource<Raw>[] | Promise<readonly FeedSource<Raw>[]>;
  parse: (raw: Raw, scope: FeedScope) => Parsed<Records> | Promise<Parsed<Records>>;
  /** Inside one transaction. Returns how many rows were written. */
  store: (tx: Tx, records: Records, scope: FeedScope) => Promise<number>;
  /** Why this configuration has no source; null when it has one. */
  off?: (config: Config) => string | null;
  /** A reason to refuse, in addition to the declared guards. */
  guard?: (parsed: Parsed<Records>, scope: FeedScope) => string | null;
  /** Sources that succeed and fail separately; the status shows each as `<name>.<part>`. */
  parts?: readonly string[];
  /** Feeds derived from this one's data: enqueued whenever a run wrote something. */
  followedBy?: readonly string[];
}

/** Checks a feed's types and schedule where it is defined; the registry holds feeds of any record type. */
export const defineFeed = <Raw, Records>(feed: Feed<Raw, Records>): Feed => {
  slotAt(feed.schedule, new Date());
  return feed as unknown as Feed;
};
