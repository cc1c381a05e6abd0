import type { Context } from '#data/context.ts';
import { SourceError } from '#data/feeds/source-error.ts';

interface Seen {
  /** Feeds none of whose sources could be reached. */
  unreached: Set<string>;
  hasAnswer: boolean;
  isTold: boolean;
}

/** One context is one process. */
const seenOf = new WeakMap<Context, Seen>();

/** One feed's servers may be away; two feeds' servers are away when the network is. */
const enoughFeeds = 2;

const isUnreached = (error: unknown): boolean =>
  error instanceof SourceError && (error.code === 'CONNECTION' || error.code === 'TIMEOUT');

/** Somebody out there answered, whatever the answer was. */
export const noteAnswer = (context: Context): void => {
  const seen = seenOf.get(context);
  if (seen) seen.hasAnswer = true;
  else seenOf.set(context, { unreached: new Set(), hasAnswer: true, isTold: false });
};

/** Says once per process that this machine reaches nothing, and what helps. */
export const noteFailures = (context: Context, feed: string, failures: readonly unknown[]): void => {
  if (failures.length === 0) return;
  if (!failures.every(isUnreached)) {
    if (failures.some((error) => error instanceof SourceError && !isUnreached(error))) noteAnswer(context);
    return;
  }
  const seen = seenOf.get(context) ?? { unreached: new Set<string>(), hasAnswer: false, isTold: false };
  seenOf.set(context, seen);
  seen.unreached.add(feed);
  if (seen.hasAnswer || seen.isTold || seen.unreached.size < enoughFeeds) return;
  if (context.config.SOURCES === 'simulated') return;
  seen.isTold = true;
  context.log.warn(
    'no outside source can be reached; SOURCES=simulated feeds the service from local servers',
  );
};
