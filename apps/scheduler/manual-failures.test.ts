import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { feedRepo } from '#store/postgres/feeds/feeds.ts';
import { testContext, testFolder } from '#test/harness.ts';
import { importAirports } from '#test/support/airports.ts';
import datis from './feeds/datis.ts';
import metar from './feeds/metar.ts';
import osm from './feeds/osm.ts';
import { runByHand } from './by-hand.ts';
import { runFeed } from './runner.ts';
import type { Feed } from './define-feed.ts';

const t = await testContext({ env: { METAR_URL: 'http://127.0.0.1:9/metars.xml' } });
afterAll(() => t.close());
const now = t.clock.now();

const ingest = async (feed: Feed, content: string, name = 'file') => {
  const folder = await testFolder();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), content);
  return runByHand(t, feed, {
    slot: now,
    signal: new AbortController().signal,
    override: pathToFileURL(join(folder, name)).href,
  });
};

test('A manual failure does not change the feed’s state, even without a file', async () => {
  await ingest(metar, 'no report');
  expect(await feedRepo(t.postgres.db).state('metar')).toBeNull();
  await runByHand(t, metar, { slot: now, signal: new AbortController().signal });
  expect(await feedRepo(t.postgres.db).state('metar')).toBeNull();
  await runFeed(t, metar, { slot: now, signal: new AbortController().signal });
  expect(await feedRepo(t.postgres.db).state('metar')).toMatchObject({ consecutiveFailures: 1 });
  await ingest(metar, 'no report');
  expect(await feedRepo(t.postgres.db).state('metar')).toMatchObject({ consecutiveFailures: 1 });
  const runs = await feedRepo(t.postgres.db).runs('metar', 9);
  expect(runs.map(({ ok, isManual }) => [ok, isManual])).toEqual([
    [false, true],
    [false, false],
    [false, true],
    [false, true],
  ]);
});

test('A reason with NUL is stored without it, and the run row is closed', async () => {
  await importAirports(t, ['KJFK']);
  const remark = { remark: 'runtime error: \u0000 out of memory', elements: [] };
  const { status, sentence } = await ingest(osm, JSON.stringify(remark), 'KJFK.json');
  expect([status, sentence]).toEqual([1, expect.stringContaining('runtime error: out of memory')]);
  const [run] = await feedRepo(t.postgres.db).runs('osm', 1);
  expect(run).toMatchObject({ ok: false, finishedAt: expect.any(Date) as Date });
});

test('NUL in source texts is an error of the source', async () => {
  const item = { lines: ['Tower\u0000'], callsign: 'LFBH_TWR', timestamp: now.toISOString(), sessionId: 1 };
  const { status, sentence } = await ingest(datis, JSON.stringify([item]));
  expect([status, sentence]).toEqual([1, 'datis: The data contain characters that are not text (NUL).']);
});
