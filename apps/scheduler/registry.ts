import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Feed } from './define-feed.ts';
import { slotAt } from '#data/schedule/slots.ts';

const folder = join(import.meta.dirname, 'feeds');

const isFeed = (value: unknown): value is Feed =>
  typeof value === 'object' && value !== null && 'name' in value && 'schedule' in value && 'store' in value;

/**
 * Every feed of `feeds/`, by name. A file without a feed, a duplicate name or an invalid schedule prevents
 * startup.
 */
export const loadFeeds = async (): Promise<ReadonlyMap<string, Feed>> => {
  const feeds = new Map<string, Feed>();
  for (const file of (await readdir(folder)).sort()) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
    const module = (await import(join(folder, file))) as { default?: unknown };
    const feed = module.default;
    if (!isFeed(feed)) throw new Error(`feeds/${file} has no feed as its default export`);
    if (feeds.has(feed.name)) throw new Error(`two feeds are named ${feed.name}`);
    slotAt(feed.schedule, new Date());
    feeds.set(feed.name, feed);
  }
  return feeds;
};
