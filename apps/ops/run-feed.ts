/** Runs a feed manually in this process, whether the service is running or not. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createContext } from '#data/context.ts';
import { DomainError } from '#domain/errors.ts';
import { UsageError } from '#operator/verb.ts';
import type { Answer, FeedToRun } from '#operator/verb.ts';
import { didYouMean } from '#platform/command-line.ts';
import type { Config } from '#platform/config/config.ts';
import { runByHand } from '#scheduler/by-hand.ts';
import { loadFeeds } from '#scheduler/define-feed.ts';
import { withSources } from '#simulated/own.ts';
import { feedStatusRepo } from '#store/postgres/feeds/status.ts';
import { slotAt } from '#store/schedule/slots.ts';

const addressOf = ({ file, url }: FeedToRun): string | undefined => {
  if (file !== undefined && url !== undefined) throw new UsageError('Use --file or --url, not both.');
  if (file === undefined) return url;
  const path = resolve(file);
  if (!existsSync(path)) throw new UsageError(`${path} does not exist.`);
  return pathToFileURL(path).href;
};

/** Throws FEED_FAILED with the reason. */
export const runFeedHere = async (
  config: Config,
  asked: FeedToRun,
  note: () => Promise<unknown>,
): Promise<Answer> => {
  const feeds = await loadFeeds();
  const feed = feeds.get(asked.feed);
  if (!feed) {
    const names = [...feeds.keys()];
    const meant = didYouMean(asked.feed, names);
    throw new UsageError(`There is no feed "${asked.feed}".${meant} Feeds: ${names.join(', ')}.`);
  }
  const override = addressOf(asked);
  await note();
  const sources = await withSources(config);
  try {
    await using context = await createContext({ ...sources.config, LOG_LEVEL: 'silent' }, 'ops');
    const isOther =
      override === undefined &&
      config.SOURCES !== 'simulated' &&
      (await feedStatusRepo(context.postgres.db).isSimulated());
    const stopped = new AbortController();
    process.once('SIGINT', () => stopped.abort());
    process.once('SIGTERM', () => stopped.abort());
    const { status, sentence, notes } = await runByHand(context, feed, {
      slot: asked.slot ?? slotAt(feed.schedule, context.clock.now()),
      signal: stopped.signal,
      override,
      force: asked.force,
    });
    const warning = isOther
      ? 'The service on this database has simulated sources; this run reads the real ones. To use simulated sources here, too, set SOURCES=simulated.'
      : [];
    const text = [warning, ...notes, sentence].flat().join('\n');
    if (status === 1) throw new DomainError('FEED_FAILED', {}, text);
    return { data: { feed: feed.name, isStored: status === 0, notes, text: sentence }, text, status };
  } finally {
    await sources.close();
  }
};
