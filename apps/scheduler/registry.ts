import { join } from 'node:path';
import { loadFolder } from '#platform/load-folder.ts';
import type { Feed } from './define-feed.ts';

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
