import type { Context } from '#data/context.ts';
import { feedRepo, feedWrites } from '#store/postgres/feeds/feeds.ts';
import type { FeedState } from '#store/postgres/feeds/feeds.ts';

/** State of a feed; times in the future, from before the clock went back, are first ended at now. */
export const stateOf = async ({ postgres }: Context, feed: string, now: Date): Promise<FeedState | null> => {
  const state = await feedRepo(postgres.db).state(feed);
  const times = [state?.lastSuccessAt, state?.lastChangeAt, state?.lastFailureAt];
  if (!times.some((at) => at && at > now)) return state;
  await postgres.transaction((tx) => feedWrites(tx).endFuture(feed, now));
  return feedRepo(postgres.db).state(feed);
};
