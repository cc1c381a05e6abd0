import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { feedRepo } from '#store/postgres/feeds/feeds.ts';
import { sql } from '#store/postgres/sql.ts';
import { testContext, testFolder } from '#test/harness.ts';
import { isDeep } from '#test/support/deep.ts';
import { feedFileAirports, feedFiles, foreignBytes } from '#test/support/feed-files.ts';
import type { FeedFiles } from '#test/support/feed-files.ts';
import { runByHand } from './by-hand.ts';
import { loadFeeds } from './define-feed.ts';

const t = await testContext();
afterAll(() => t.close());
const { db } = t.postgres;
const feeds = await loadFeeds();
const files = await feedFiles(t.clock.now());
const readme = await readFile(join(import.meta.dirname, '../../README.md'));

const fileOf = (feed: string): FeedFiles => {
  const found = files[feed];
  if (!found) throw new Error(`no files of ${feed}`);
  return found;
};

const [mapped] = await feedFileAirports();

/** Airports come as a folder of two files, everything else as one file, a map with the code of its airport. */
const ingest = async (feed: string, content: Buffer, force = false) => {
  const folder = await testFolder();
  await mkdir(folder, { recursive: true });
  let path = join(folder, feed === 'osm' ? `${mapped?.icao ?? ''}.json` : 'file');
  if (feed === 'airports') {
    path = folder;
    await writeFile(join(folder, 'airports.csv'), content);
    await writeFile(join(folder, 'runways.csv'), fileOf('runways').good ?? '');
  } else await writeFile(path, content);
  const known = feeds.get(feed);
  if (!known) throw new Error(`no feed ${feed}`);
  return runByHand(t, known, {
    slot: t.clock.now(),
    signal: new AbortController().signal,
    override: pathToFileURL(path).href,
    force,
  });
};

/** One hash per table; runs are kept, everything else must not change. */
const tableHashes = async (): Promise<Record<string, string>> => {
  const hashes = await db.any<{ name: string; hash: string }>(sql`
    SELECT table_name AS name, query_to_xml(
      format('SELECT md5(string_agg(t::text, chr(10) ORDER BY t::text)) FROM %I t', table_name), false, false, '')::text AS hash
    FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> 'feed_run'`);
  return Object.fromEntries(hashes.map(({ name, hash }) => [name, hash]));
};

const names = [...feeds.keys()];
/** Airports first: the other feeds need them. */
const order = ['airports', ...names.filter((name) => name !== 'airports')];
let before: Record<string, string> = {};

const expectRefused = async (feed: string, content: Buffer) => {
  const { status, sentence, notes } = await ingest(feed, content);
  expect([status, sentence]).toEqual([
    1,
    expect.stringMatching(new RegExp(`^${feed}: \\P{Cc}{10,400}$`, 'u')),
  ]);
  expect(sentence).not.toMatch(/undefined|\[object|^\S+ (?:Type|Range|Syntax|Reference)Error/);
  expect(notes).toEqual([]);
};

beforeAll(async () => {
  for (const feed of order) {
    const { good } = fileOf(feed);
    if (good === null) continue;
    const { status, sentence } = await ingest(feed, good);
    if (status !== 0) throw new Error(sentence);
  }
  before = await tableHashes();
}, 60_000);

test('Every feed has test files', () => {
  expect(Object.keys(files)).toEqual(expect.arrayContaining(names));
});

describe.each(names)('a wrong file for %s exits with 1 and one sentence and changes nothing', (feed) => {
  const own = fileOf(feed);
  const wrong = foreignBytes(own.good ?? own.old, readme);
  test.each(Object.entries(wrong))('A file that is %s is refused', (_name, content) =>
    expectRefused(feed, content),
  );

  const others = Object.keys(files).filter((name) => name !== feed && fileOf(name).good !== null);
  // A third for each feed, another one for the next; all in a deep run.
  const tried = isDeep ? others : others.filter((_other, i) => (i + names.indexOf(feed)) % 3 === 0);
  test.each(tried)('A valid file of %s is refused', (other) =>
    expectRefused(feed, fileOf(other).good ?? readme),
  );

  test('An outdated file is refused', () => expectRefused(feed, own.old));
  test('A file with half its records unreadable is refused', () => expectRefused(feed, own.half));

  test('Nothing has changed, and the failure is kept as one of a manual run, not of the feed', async () => {
    expect(await tableHashes()).toEqual(before);
    const [run] = await feedRepo(db).runs(feed, 1);
    expect(run).toMatchObject({ ok: false, isManual: true, error: expect.any(String) as string });
    expect((await feedRepo(db).state(feed))?.consecutiveFailures ?? 0).toBe(0);
  });
});

describe('wrong files with force', () => {
  test.each([
    ['metar', 'old', /the newest report is \d+ (?:minutes|hours) old/],
    ['taf', 'half', /records are unreadable/],
    ['winds', 'old', /is older than that of/],
    ['winds', 'half', /lacks the hours 30, 36, 42, 48/],
    ['navdata', 'old', /cycle 2601 is older than the one already loaded/],
    ['obstacles', 'old', /is older than that of/],
  ] as const)(
    '%s: a file that is %s is stored with force, and the overridden check is printed',
    async (feed, kind, reason) => {
      const { status, notes } = await ingest(feed, fileOf(feed)[kind], true);
      expect([status, notes]).toEqual([
        0,
        [expect.stringMatching(new RegExp(`^overridden by --force: .*${reason.source}`))],
      ]);
    },
  );

  test('A file of another kind is refused even with force', async () => {
    const { status, sentence } = await ingest('metar', fileOf('taf').good ?? readme, true);
    expect([status, sentence]).toEqual([1, expect.stringContaining('not METAR')]);
  });
});
