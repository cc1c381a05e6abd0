import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { feedRepo } from '#store/postgres/feeds/feeds.ts';
import { feedStatusRepo, feedStatusWrites } from '#store/postgres/feeds/status.ts';
import { addSeconds } from '#domain/time.ts';
import { feedRun } from '#domain/jobs/contracts.ts';
import { testClock, testContext, testFolder } from '#test/harness.ts';
import { runSql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';
import { defineFeed } from './define-feed.ts';
import { runFeed } from './runner.ts';
import { loadFeeds } from './define-feed.ts';
import { catchUp, enqueueFeed, feedRunHandler } from './feed-jobs.ts';

const counted = (name: string, schedule: string, reads: string[], fails = false) =>
  defineFeed<string, string[]>({
    name,
    schedule,
    graceMinutes: 5,
    staleMinutes: 20,
    timeoutSeconds: 5,
    maxBytes: 1_000,
    guards: { compareWith: 'lastRun' },
    sources: () => [
      {
        label: 'memory',
        read: async () => {
          reads.push(name);
          if (fails) throw new Error('the source is broken');
          return 'one two';
        },
      },
    ],
    parse: (raw) => ({ records: raw.split(' '), count: 2, rejects: [] }),
    store: async (_tx, records) => records.length,
  });

describe('scheduler', async () => {
  const clock = testClock('2026-09-16T12:25:30Z');
  const t = await testContext({ clock });
  const other = await testContext({ clock, databaseUrl: t.databaseUrl });
  afterAll(async () => {
    await other.close();
    await t.close();
  });

  const isIdle = async (): Promise<boolean> =>
    (await t.queues.counts()).every(({ waiting, delayed, active }) => waiting + delayed + active === 0);

  test('Two schedulers enqueue one run per slot, and a startup catches up once', async () => {
    const reads: string[] = [];
    const minute = counted('minute', '* * * * *', reads);
    const daily = counted('daily', '0 4 * * *', reads);
    const feeds = new Map([minute, daily].map((feed) => [feed.name, feed]));
    const slot = new Date('2026-09-16T12:25:00Z');
    const accepted = await Promise.all(
      [t, other].map((one) =>
        one.postgres.transaction((tx) =>
          enqueueFeed(one, tx, { feed: 'minute', slot: { at: slot, round: 0 } }),
        ),
      ),
    );
    expect(accepted.filter((id) => id !== null)).toHaveLength(1);
    await Promise.all([catchUp(t, [daily]), catchUp(other, [daily])]);
    const consumers = await Promise.all([t.queues.createConsumer(), other.queues.createConsumer()]);
    await consumers[0].consume('ingest', [feedRunHandler(t, feeds)], 2);
    await consumers[1].consume('ingest', [feedRunHandler(other, feeds)], 2);
    await until('both have run', async () => reads.length >= 2 && (await isIdle()));
    expect(reads.toSorted()).toEqual(['daily', 'minute']);
    expect(
      (await feedRepo(t.postgres.db).runs('minute', 5)).map((run) => [run.ok, run.stored, run.slot]),
    ).toEqual([[true, 2, slot]]);
    expect(await catchUp(t, [minute, daily])).toEqual([]);
    clock.set('2026-09-20T12:25:30Z');
    expect(await catchUp(t, [minute, daily])).toEqual(['minute', 'daily']);
    await until('both have run again', async () => reads.length >= 4 && (await isIdle()));
    expect(reads).toHaveLength(4);
    await Promise.all(consumers.map((consumer) => consumer.stop(1_000)));
  });

  test('A restart within the minute of a failed run catches up once per failure', async () => {
    clock.set('2026-09-16T12:20:30Z');
    const reads: string[] = [];
    const feed = counted('tenMinutes', '*/10 * * * *', reads, true);
    /** Only after all schedulers have enqueued: a run between two of them would be another failure. */
    const runEnqueued = async () => {
      const consumer = await t.queues.createConsumer();
      await consumer.consume('ingest', [feedRunHandler(t, new Map([[feed.name, feed]]))], 1);
      await until('the enqueued runs have failed', isIdle);
      await consumer.stop(1_000);
    };
    const slot = { at: new Date('2026-09-16T12:20:00Z'), round: 0 };
    await t.postgres.transaction((tx) => enqueueFeed(t, tx, { feed: feed.name, slot }));
    // Still queued: this run is the expected one.
    await catchUp(t, [feed]);
    await runEnqueued();
    expect(reads).toHaveLength(1);
    clock.advance(5);
    await Promise.all([catchUp(t, [feed]), catchUp(other, [feed])]);
    await runEnqueued();
    expect(reads).toHaveLength(2);
    clock.advance(5);
    expect(await catchUp(t, [feed])).toEqual(['tenMinutes']);
    await runEnqueued();
    expect(reads).toHaveLength(3);
  });

  test.each([10, 120])(
    'With the clock set back %i minutes a success in the future counts as now, then ages again',
    async (minutes) => {
      clock.set('2026-09-16T12:25:30Z');
      const name = `back${minutes}`;
      const reads: string[] = [];
      const feed = counted(name, '0 * * * *', reads);
      const run = (of = feed) => runFeed(t, of, { slot: clock.now(), signal: new AbortController().signal });
      await run();
      clock.advance(-minutes * 60);
      const at = clock.now();
      expect(await catchUp(t, [feed])).toEqual([]);
      await t.postgres.transaction((tx) => feedStatusWrites(tx).declare([feed]));
      const report = async () =>
        (await feedStatusRepo(t.postgres.db).reports(clock.now())).find((one) => one.feed === name);
      expect(await report()).toMatchObject({ status: 'up', ageMinutes: 0, lastSuccessAt: at, lastRunAt: at });
      await run(counted(name, '0 * * * *', reads, true));
      clock.advance(6 * 60);
      expect(await report()).toMatchObject({ status: 'late', ageMinutes: 6, lastSuccessAt: at });
    },
  );

  test('With the clock set back during a source’s pause, the pause keeps its length', async () => {
    clock.set('2026-09-16T12:25:30Z');
    await runSql(t.postgres)`
      INSERT INTO feed_state (feed, last_failure_at, retry_at)
      VALUES ('pausing', ${clock.now()}, ${addSeconds(clock.now(), 600)})`;
    clock.advance(-7_200);
    const feed = counted('pausing', '* * * * *', []);
    const run = () => runFeed(t, feed, { slot: clock.now(), signal: new AbortController().signal });
    expect(await run()).toEqual({ kind: 'paused', until: addSeconds(clock.now(), 600) });
    clock.advance(599);
    expect((await run()).kind).toBe('paused');
    clock.advance(1);
    expect((await run()).kind).toBe('stored');
  });

  test('The queue retries a failed feed only if its next slot is far away', async () => {
    const reads: string[] = [];
    const run = (schedule: string) => {
      const feed = counted('broken', schedule, reads, true);
      return feedRunHandler(t, new Map([[feed.name, feed]])).run({
        payload: { feed: 'broken', slot: '2026-09-16T12:00:00.000Z' },
        id: 'x',
        attempt: 1,
        signal: new AbortController().signal,
      });
    };
    await expect(run('* * * * *')).resolves.toBeUndefined();
    await expect(run('0 4 * * *')).rejects.toThrow('the source is broken');
    const [last] = await feedRepo(t.postgres.db).runs('broken', 1);
    expect(last).toMatchObject({ ok: false, error: 'the source is broken' });
  });

  test('The job of an unknown feed is not retried', async () => {
    const handler = feedRunHandler(t, new Map());
    const job = {
      payload: { feed: 'gone', slot: '2026-09-16T12:00:00.000Z' },
      id: 'x',
      attempt: 1,
      signal: new AbortController().signal,
    };
    await expect(handler.run(job)).rejects.toThrow(/no feed gone/);
  });

  test('A run whose process crashed is closed by the next one', async () => {
    await runSql(t.postgres)`
      INSERT INTO feed_run (feed, slot, started_at) VALUES ('dead', ${clock.now()}, ${new Date(clock.now().getTime() - 60_000)})`;
    const feed = counted('dead', '* * * * *', []);
    await feedRunHandler(t, new Map([['dead', feed]])).run({
      payload: { feed: 'dead', slot: clock.now().toISOString() },
      id: 'x',
      attempt: 1,
      signal: new AbortController().signal,
    });
    const runs = await feedRepo(t.postgres.db).runs('dead', 2);
    expect(runs.map((run) => run.error)).toEqual([null, 'the process ended during the run']);
  });

  test('Every feed file has a feed that follows the rules', async () => {
    const feeds = await loadFeeds();
    expect([...feeds.keys()]).toEqual(expect.arrayContaining(['airports', 'metar']));
    const odd = [...feeds.values()].filter(
      (feed) => feed.staleMinutes < feed.graceMinutes || feed.timeoutSeconds >= feedRun.timeoutSeconds,
    );
    expect(odd.map((feed) => feed.name)).toEqual([]);
  });

  test('A feed named after another file, with an unknown follower or an invalid schedule is refused', async () => {
    const folder = await testFolder();
    const load = async (name: string, feed: object) => {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, `${name}.ts`), `export default ${JSON.stringify(feed)};`);
      return loadFeeds(folder);
    };
    const words = { name: 'words', schedule: '* * * * *', store: 1 };
    await expect(load('word', words)).rejects.toThrow(
      'feeds/word.ts must default-export a feed named "word"',
    );
    await expect(load('words', { ...words, followedBy: ['letters'] })).rejects.toThrow(
      'feeds/words.ts is followed by letters, which is not a feed',
    );
    await expect(load('letters', { ...words, name: 'letters' })).resolves.toHaveProperty('size', 1);
    expect(() => defineFeed({ ...counted('words', '* * * *', []) })).toThrow(
      'not a five-field schedule: "* * * *"',
    );
  });
});
