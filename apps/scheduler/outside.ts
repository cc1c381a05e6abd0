import type { Context } from '#data/context.ts';
import { SourceError } from '#domain/source-error.ts';

/**
 * By context (one per process): feeds for which no source could be reached; null once any outside server has
 * answered.
 */
const unreachedOf = new WeakMap<Context, Set<string> | null>();

/** One feed may fail because of its servers; two failing feeds mean the network. */
const enoughFeeds = 2;

const isUnreached = (error: unknown): boolean =>
  error instanceof SourceError && (error.code === 'CONNECTION' || error.code === 'TIMEOUT');

/** Notes that an outside server has answered, whatever the answer. */
export const noteAnswer = (context: Context): void => void unreachedOf.set(context, null);

/**
 * Logs once per process that no outside source is reachable, with advice. True if this failure needs no line of its
 * own: nothing outside has answered yet, so the network is the likely cause.
 */
export const noteFailures = (context: Context, feed: string, failures: readonly unknown[]): boolean => {
  if (failures.some((error) => error instanceof SourceError && !isUnreached(error))) noteAnswer(context);
  const known = unreachedOf.get(context);
  const isNetwork = failures.length > 0 && failures.every(isUnreached) && known !== null;
  if (!isNetwork || context.config.SOURCES === 'simulated') return false;
  const unreached = known ?? new Set();
  unreachedOf.set(context, unreached);
  if (!unreached.has(feed) && unreached.add(feed).size === enoughFeeds)
    context.log.warn(
      'no outside source can be reached: the service continues with what it has; SOURCES=simulated feeds it from local servers',
    );
  return true;
};
