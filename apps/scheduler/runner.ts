import { hostname } from 'node:os';
import type { Context } from '#data/context.ts';
import { feedRepo, feedWrites } from '#store/postgres/feeds/feeds.ts';
import type { FeedState, StartedRun } from '#store/postgres/feeds/feeds.ts';
import { SourceError, isUpstreamError, shownAddress } from '#domain/source-error.ts';
import { oneLineOf } from '#platform/errors.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { ReportedError, UnavailableError, codeOf } from '#domain/errors.ts';
import { feedRun } from '#domain/jobs/contracts.ts';
import { addSeconds } from '#domain/time.ts';
import type { Feed, FeedPart, FeedScope, FeedSource, Parsed } from './define-feed.ts';
import { refusalsOf } from './guards.ts';
import { noteFailures } from './outside.ts';
import { createScope, isManual } from './scope.ts';
import type { Received, RunOptions } from './scope.ts';

/** Parts of a feed have runs and a state of their own. */
const partName = (feed: string, part: string): string => `${feed}.${part}`;

/** Names of a feed in the status: its own and those of its parts. */
export const shownNames = ({ name, parts = [] }: Pick<Feed, 'name' | 'parts'>): string[] => [
  name,
  ...parts.map((part) => partName(name, part)),
];

/** Stores the outcome of each part. */
const storeParts = async (
  tx: Tx,
  run: StartedRun,
  { parts, source, now }: { parts: readonly FeedPart[]; source: string | null; now: Date },
): Promise<void> => {
  const writes = feedWrites(tx);
  for (const { name, count, dataAt, error } of parts) {
    const feed = partName(run.feed, name);
    const id = await writes.startRun({ ...run, feed, jobId: null });
    const ended = { id, feed, now };
    if (error !== null) {
      await writes.failRun({ ...ended, error, retryAt: null, isManual: run.isManual ?? false });
      continue;
    }
    const stored = { received: count, stored: null, rejected: null, bytes: null };
    await writes.finishRun({
      ...ended,
      validators: null,
      outcome: { ...stored, notModified: false, source, dataAt },
    });
  }
};

/** State of a feed; times in the future, from before a clock was set back, are capped at now. */
const stateOf = async ({ postgres }: Context, feed: string, now: Date): Promise<FeedState | null> => {
  const state = await feedRepo(postgres.db).state(feed);
  const times = [state?.lastSuccessAt, state?.lastChangeAt, state?.lastFailureAt];
  if (!times.some((at) => at && at > now)) return state;
  await postgres.transaction((tx) => feedWrites(tx).endFuture(feed, now));
  return feedRepo(postgres.db).state(feed);
};

export type FeedOutcome =
  | {
      kind: 'stored';
      source: string;
      received: number;
      stored: number;
      rejected: number;
      bytes: number;
      warnings: string[];
      /** Guard reasons that `force` overrode. */
      overridden: string[];
    }
  | { kind: 'notModified'; source: string }
  /** A source has requested a pause that has not ended. */
  | { kind: 'paused'; until: Date }
  /** No source is configured. */
  | { kind: 'off'; reason: string }
  /** A later run has already stored newer data. */
  | { kind: 'superseded' }
  /** `isGuarded`: the data were readable but refused by a guard, which `force` can override. */
  | { kind: 'failed'; error: string; retryAt: Date | null; isGuarded: boolean };

interface Usable {
  source: string;
  parsed: Parsed<unknown> | null;
}

const sourcesOf = (feed: Feed, scope: FeedScope): readonly FeedSource<unknown>[] => {
  const { override } = scope;
  if (override === undefined || !feed.readOverride) return feed.sources(scope);
  const read = feed.readOverride.bind(null, scope, override);
  return [{ label: shownAddress(override), read }];
};

/** The first source that passes reading, parsing and guards; otherwise throws all failures. */
const firstUsable = async (
  feed: Feed,
  scope: FeedScope,
  received: Received,
  failures: unknown[],
): Promise<Usable> => {
  for (const source of sourcesOf(feed, scope)) {
    // A rejected source must not answer "not modified" next time.
    received.validators.clear();
    received.overridden.length = 0;
    received.parts.length = 0;
    received.moved.clear();
    try {
      const raw = await source.read();
      if (raw === null) return { source: source.label, parsed: null };
      const parsed = await feed.parse(raw, scope);
      for (const reason of refusalsOf(feed, parsed, source.label, scope)) scope.refuse(reason);
      return { source: source.label, parsed };
    } catch (error) {
      if (scope.signal.aborted) throw error;
      failures.push(error);
      if (!isUpstreamError(error))
        scope.log.error({ source: source.label, err: error }, 'feed source failed');
    }
  }
  throw failures.length === 1 ? failures[0] : new ReportedError(failures.map(oneLineOf).join(' / '));
};

/** The longest pause requested by the sources. */
const pauseOf = (failures: readonly unknown[], now: Date): Date | null => {
  const seconds = failures.map((error) =>
    error instanceof Error && 'retryAfterSeconds' in error ? Number(error.retryAfterSeconds ?? 0) : 0,
  );
  const longest = Math.max(0, ...seconds);
  return longest > 0 ? addSeconds(now, longest) : null;
};

/** Keeps the raw input of the last failure for diagnosis: `feeds/failed/<feed>/<n>-<file>`. */
const keepRaw = async (context: Context, feed: Feed, received: Received, log: FeedScope['log']) => {
  for (const [i, body] of received.bodies.entries()) {
    const name = body.name.replace(/[^A-Za-z0-9._-]/g, '_').replace(/^[^A-Za-z0-9]+/, '') || 'data';
    try {
      await context.storage.put(
        `feeds/failed/${feed.name}/${i}-${name}`,
        body.bytes,
        'application/octet-stream',
      );
    } catch (error) {
      log.warn({ err: error }, 'raw input of the failed run could not be kept');
    }
  }
};

const askForFollowers = async (context: Context, tx: Tx, feed: Feed): Promise<void> => {
  // The exact time instead of the minute: this minute's tick may have run on the old data.
  const slot = context.clock.now().toISOString();
  for (const follower of feed.followedBy ?? [])
    await context.jobs.enqueue(tx, feedRun, { feed: follower, slot });
};

/** Postgres error codes for characters that a text cannot store: NUL and lone surrogates. */
const unstorable: ReadonlySet<string> = new Set(['22021', '22P05']);

const storable = async <T>(store: () => Promise<T>): Promise<T> => {
  try {
    return await store();
  } catch (error) {
    if (!unstorable.has(codeOf(error))) throw error;
    throw new SourceError('CORRUPT', 'The data contain characters that are not text (NUL).', {
      cause: error,
    });
  }
};

interface Run extends StartedRun {
  id: number;
}

const storeParsed = (
  context: Context,
  feed: Feed,
  scope: FeedScope,
  run: Run,
  { parsed, source }: { source: string; parsed: Parsed<unknown> },
  received: Received,
) =>
  context.postgres.transaction(async (tx): Promise<FeedOutcome> => {
    if (!(await feedWrites(tx).claimStore(feed.name, run.id))) return { kind: 'superseded' };
    const stored = await storable(() => feed.store(tx, parsed.records, scope));
    if (stored > 0) await askForFollowers(context, tx, feed);
    const rejected = parsed.rejected ?? parsed.rejects.length;
    const outcome = { received: parsed.count, stored, rejected, bytes: received.bytes, source };
    const now = context.clock.now();
    // Hints for the operator about a successful run.
    const notice = [parsed.notice ?? [], ...received.moved].flat().join('; ') || null;
    await storeParts(tx, run, { parts: received.parts, source, now });
    await feedWrites(tx).finishRun({
      ...run,
      now,
      validators: scope.override === undefined ? Object.fromEntries(received.validators) : null,
      outcome: { ...outcome, notModified: false, dataAt: parsed.dataAt ?? null, notice },
    });
    return { kind: 'stored', ...outcome, warnings: [], overridden: [...received.overridden] };
  });

/**
 * Runs a feed once, for startup, tick, job and command line. Throws only if our own database or storage fails, never
 * for a failing source.
 */
export const runFeed = async (context: Context, feed: Feed, options: RunOptions): Promise<FeedOutcome> => {
  const write = <T>(work: (runs: ReturnType<typeof feedWrites>) => Promise<T>): Promise<T> =>
    context.postgres.transaction((tx) => work(feedWrites(tx)));
  const reason = options.override === undefined ? (feed.off?.(context.config) ?? null) : null;
  if (reason !== null) return { kind: 'off', reason };
  const startedAt = context.clock.now();
  const state = await stateOf(context, feed.name, startedAt);
  if (!options.force && options.override === undefined && state?.retryAt && state.retryAt > startedAt) {
    return { kind: 'paused', until: state.retryAt };
  }
  const started = {
    feed: feed.name,
    slot: options.slot,
    now: startedAt,
    timeoutSeconds: feed.timeoutSeconds,
    jobId: options.jobId ?? null,
    process: `process ${process.pid} on ${hostname()}`,
    isManual: isManual(options),
  };
  const run = { ...started, id: await write((runs) => runs.startRun(started)) };
  const { scope, received } = createScope(context, feed, options, startedAt, state);
  const failures: unknown[] = [];
  try {
    const { source, parsed } = await firstUsable(feed, scope, received, failures);
    const warnings = failures.map(oneLineOf);
    if (parsed === null) {
      const outcome = { notModified: true, received: null, stored: null, rejected: null, bytes: 0, source };
      await write((runs) => runs.finishRun({ ...run, now: context.clock.now(), validators: null, outcome }));
      scope.log[warnings.length > 0 ? 'warn' : 'debug']({ source, warnings }, 'feed not modified');
      return { kind: 'notModified', source };
    }
    const outcome = await storeParsed(context, feed, scope, run, { source, parsed }, received);
    if (outcome.kind === 'superseded') {
      await write((runs) => runs.dropRun(run.id, context.clock.now()));
      return outcome;
    }
    scope.log[warnings.length > 0 ? 'warn' : 'info']({ ...outcome, warnings }, 'feed stored');
    return outcome.kind === 'stored' ? { ...outcome, warnings } : outcome;
  } catch (error) {
    const now = context.clock.now();
    const tookTooLong = scope.signal.aborted && !options.signal.aborted;
    const text = tookTooLong ? `the run took longer than ${feed.timeoutSeconds} s` : oneLineOf(error);
    const retryAt = pauseOf(failures, now);
    await keepRaw(context, feed, received, scope.log);
    await context.postgres.transaction(async (tx) => {
      const parts = received.parts.filter((part) => part.error !== null);
      await storeParts(tx, run, { parts, source: null, now });
      await feedWrites(tx).failRun({ ...run, now, error: text, retryAt });
    });
    const isNetwork = noteFailures(context, feed.name, failures);
    // Our own database or storage is unavailable: the queue retries, even if the next slot is near.
    if (error instanceof UnavailableError) throw error;
    const isReported = isUpstreamError(error) || error instanceof ReportedError || failures.includes(error);
    if (isNetwork) scope.log.debug({ error: text }, 'feed failed');
    else if (isReported || scope.signal.aborted) scope.log.warn({ error: text }, 'feed failed');
    else scope.log.error({ err: error }, 'feed failed');
    const isGuarded = error instanceof SourceError && error.code === 'GUARD';
    return { kind: 'failed', error: text, retryAt, isGuarded };
  }
};
