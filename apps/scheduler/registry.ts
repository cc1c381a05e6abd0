import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Feed } from './define-feed.ts';
import { slotAt } from '#store/schedule/slots.ts';

const folder = join(import.meta.dirname, 'feeds');

const isFeed = (value: unknown): value is Feed =>
  typeof value === 'object' && value !== null && 'name' in value && 'schedule' in value && 'store' in value;

interface FeedFile {
  /** Its base name. */
  file: string;
  feed: Feed;
}

const scheduleProblem = ({ schedule }: Feed): string | null => {
  try {
    slotAt(schedule, new Date());
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** What the files of feeds declare wrongly, one sentence each. */
export const feedProblems = (files: readonly FeedFile[]): string[] => {
  const names = new Set(files.map(({ feed }) => feed.name));
  return files.flatMap(({ file, feed }) => {
    const wrongSchedule = scheduleProblem(feed);
    return [
      ...(file === `${feed.name}.ts`
        ? []
        : [`feeds/${file} has the feed ${feed.name}: name it ${feed.name}.ts`]),
      ...(feed.followedBy ?? [])
        .filter((name) => !names.has(name))
        .map((name) => `feeds/${file} is followed by ${name}, which is not a feed`),
      ...(wrongSchedule === null ? [] : [`feeds/${file}: ${wrongSchedule}`]),
    ];
  });
};

/** Every feed of `feeds/`, by name. A file without a feed or with a wrong declaration prevents startup. */
export const loadFeeds = async (): Promise<ReadonlyMap<string, Feed>> => {
  const files: FeedFile[] = [];
  for (const file of (await readdir(folder)).sort()) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
    const { default: feed } = (await import(join(folder, file))) as { default?: unknown };
    if (!isFeed(feed)) throw new Error(`feeds/${file} has no feed as its default export`);
    files.push({ file, feed });
  }
  const problems = feedProblems(files);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return new Map(files.map(({ feed }) => [feed.name, feed]));
};
