import type { Context } from '#data/context.ts';
import { SourceError } from '#domain/source-error.ts';

interface Seen {
  /** Feeds with no reachable source. */
  unreached: Set<string>;
  hasAnswer: boolean;
  isReported: boolean;
}

/** Each process has one context. */
const seenOf = new WeakMap<Context, Seen>();

/** One feed may fail because of its servers; two failing feeds mean the network. */
const enoughFeeds = 2;

const isUnreached = (error: unknown): boolean =>
  error instanceof SourceError && (error.code === 'CONNECTION' || error.code === 'TIMEOUT');

/** Notes that an outside server has answered, whatever the answer. */
export const noteAnswer = (context: Context): void => {
  const seen = seenOf.get(context);
  if (seen) seen.hasAnswer = true;
  else seenOf.set(context, { unreached: new Set(), hasAnswer: true, isReported: false });
};

/**
 * Logs once per process that no outside source is reachable, with advice. True if this failure needs no line of its
 * own: nothing outside has answered yet, so the network is the likely cause.
 */
export const noteFailures = (context: Context, feed: string, failures: readonly unknown[]): boolean => {
  if (failures.length === 0) return false;
  if (!failures.every(isUnreached)) {
    if (failures.some((error) => error instanceof SourceError && !isUnreached(error))) noteAnswer(context);
    return false;
  }
  const seen = seenOf.get(context) ?? { unreached: new Set<string>(), hasAnswer: false, isReported: false };
  seenOf.set(context, seen);
  seen.unreached.add(feed);
  if (seen.hasAnswer || context.config.SOURCES === 'simulated') return false;
  if (!seen.isReported && seen.unreached.size >= enoughFeeds) {
    seen.isReported = true;
    context.log.warn(
      'no outside source can be reached: the service continues with what it has; SOURCES=simulated feeds it from local servers',
    );
  }
  return true;
};
