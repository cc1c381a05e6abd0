import type { Context } from '#data/context.ts';
import { fetchSource } from '#data/feeds/fetch.ts';
import type { Fetched } from '#data/feeds/fetch.ts';
import type { FeedState, Validator } from '#store/postgres/feeds/feeds.ts';
import { assertText, isZip } from '#data/feeds/unpack.ts';
import { isSimulatedAddress } from '#simulated/own.ts';
import { SourceError, shownAddress } from '#domain/source-error.ts';
import type { Content, Feed, FeedFetchOptions, FeedPart, FeedScope } from './define-feed.ts';
import { noteAnswer } from './outside.ts';

export interface RunOptions {
  slot: Date;
  signal: AbortSignal;
  /** The job of this run; none for a manual run. */
  jobId?: string;
  /** Address from the command line. */
  override?: string | undefined;
  /** Started by an operator; implied by `override`. Its failure does not count as one of the feed. */
  isManual?: boolean;
  /** Unconditional requests, guards that only report, and no waiting for pauses. */
  force?: boolean;
}

/** Data received so far, for the next run's validators and the raw input of a failure. */
export interface Received {
  validators: Map<string, Validator>;
  bodies: { name: string; bytes: Buffer }[];
  bytes: number;
  /** Addresses that redirect permanently, for the operator. */
  moved: Set<string>;
  /** Outcomes of the feed's parts. */
  parts: FeedPart[];
  /** Guard reasons that `force` overrode. */
  overridden: string[];
  /** True if a simulated server has answered. */
  isSimulated: boolean;
}

export const isManual = ({ isManual: given, override }: RunOptions): boolean =>
  given === true || override !== undefined;

/** Hosts of all configured sources. */
const sourceHosts = (config: Context['config']): ReadonlySet<string> =>
  new Set(
    Object.entries(config).flatMap(([name, value]) =>
      name.endsWith('_URL') && typeof value === 'string' && URL.canParse(value)
        ? new URL(value).hostname
        : [],
    ),
  );

/** Raw inputs kept in memory in case the run fails; larger sets would take too much. */
const keptBodies = 8;
const keptBytes = 32 * 1024 * 1024;

export const createScope = (
  context: Context,
  feed: Feed,
  options: RunOptions,
  now: Date,
  state: FeedState | null,
): { scope: FeedScope; received: Received } => {
  const received: Received = {
    validators: new Map(),
    bodies: [],
    bytes: 0,
    overridden: [],
    parts: [],
    moved: new Set(),
    isSimulated: false,
  };
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(feed.timeoutSeconds * 1000)]);
  const conditionalRun = options.force !== true && options.override === undefined;

  const fetch = async (address: string, fetchOptions: FeedFetchOptions = {}): Promise<Fetched> => {
    const { conditional = true, ...rest } = fetchOptions;
    const fetched = await fetchSource(address, {
      http: context.http,
      signal,
      maxBytes: feed.maxBytes,
      timeoutMs: Math.min(feed.timeoutSeconds * 1000, 300_000),
      validator: conditional && conditionalRun ? state?.validators[address] : undefined,
      hosts: sourceHosts(context.config),
      ...rest,
    });
    if (!address.startsWith('file:')) noteAnswer(context);
    if (fetched.kind === 'data') {
      if (fetched.movedTo !== undefined) {
        const moved = { from: shownAddress(address), to: shownAddress(fetched.movedTo) };
        scope.log.warn(moved, 'the source has moved: change its address in the configuration');
        received.moved.add(`${moved.from} has moved to ${moved.to}`);
      }
      if (!feed.isBinary && !isZip(fetched.bytes)) assertText(fetched.bytes, shownAddress(address));
      if (options.override === undefined) received.validators.set(address, fetched.validator);
      received.isSimulated ||= isSimulatedAddress(context.config, address);
      received.bytes += fetched.sentBytes;
      const held = received.bodies.reduce((sum, body) => sum + body.bytes.byteLength, 0);
      if (received.bodies.length < keptBodies && held + fetched.bytes.byteLength <= keptBytes)
        received.bodies.push({ name: fetched.name, bytes: fetched.bytes });
    }
    return fetched;
  };

  const content: FeedScope['content'] = async (address, fetchOptions) => {
    const fetched = await fetch(address, { ...fetchOptions, conditional: false });
    if (fetched.kind === 'data') return fetched;
    throw new SourceError(
      'STATUS',
      `${shownAddress(address)} answered an unconditional request with "not modified".`,
    );
  };

  const fetchSet = async (addresses: readonly string[], fetchOptions: FeedFetchOptions = {}) => {
    const answers: Fetched[] = [];
    for (const address of addresses) answers.push(await fetch(address, fetchOptions));
    if (answers.every(({ kind }) => kind === 'notModified')) return null;
    const whole: Content[] = [];
    for (const [i, address] of addresses.entries()) {
      const known = answers[i];
      whole.push(known?.kind === 'data' ? known : await content(address, fetchOptions));
    }
    return whole;
  };

  const scope: FeedScope = {
    config: context.config,
    log: context.log.child({ feed: feed.name, slot: options.slot.toISOString() }),
    now,
    slot: options.slot,
    signal,
    db: context.postgres.db,
    http: context.http,
    storage: context.storage,
    state,
    override: options.override,
    isManual: isManual(options),
    force: options.force === true,
    refuse: (reason) => {
      if (options.force !== true) throw new SourceError('GUARD', `${reason}: nothing was stored.`);
      received.overridden.push(reason);
    },
    notePart: (part) => void received.parts.push(part),
    isSimulated: () => received.isSimulated,
    fetch,
    content,
    fetchSet,
  };
  return { scope, received };
};
