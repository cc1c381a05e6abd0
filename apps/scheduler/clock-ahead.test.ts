/** A clock that is 40 minutes ahead: first the source's, then this machine's. */
import { afterAll, describe, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import type { Sql } from '#store/postgres/sql.ts';
import { startSimulated } from '#test/support/simulated.ts';
import { simulatedStations } from '#simulated/stations.ts';
import { testClock, testContext } from '#test/harness.ts';
import type { Feed } from './define-feed.ts';
import datis from './feeds/datis.ts';
import metar from './feeds/metar.ts';
import taf from './feeds/taf.ts';
import { runFeed } from './runner.ts';

interface Case {
  feed: Feed;
  at: string;
  /** Data further in the future than station clocks may deviate. */
  fromFuture: Sql;
  /** Outcomes of a run while a clock is ahead. */
  ofSource: object;
  ofMachine: object;
}

const failed = (error: RegExp) => ({ kind: 'failed', error: expect.stringMatching(error) as unknown });
const stored = (count: number) => ({ kind: 'stored', received: count, rejected: 0 });

const cases: Case[] = [
  {
    feed: metar,
    at: '2026-09-16T12:25:00Z',
    fromFuture: sql`SELECT icao FROM metar WHERE observed_at > `,
    ofSource: failed(/no readable record \(observed in the future/),
    ofMachine: failed(/the newest report is \d+ minutes old: nothing was stored/),
  },
  {
    // Shortly before the simulated forecasts are issued, at 17:20.
    feed: taf,
    at: '2026-09-16T17:00:00Z',
    fromFuture: sql`SELECT icao FROM taf WHERE issued_at > `,
    ofSource: failed(/no readable record \(issued in the future/),
    ofMachine: stored(60),
  },
  {
    // A controller's text replaces the previous one, whatever its time, and its expiry is counted from its
    // receipt.
    feed: datis,
    at: '2026-09-16T12:25:00Z',
    fromFuture: sql`SELECT icao FROM datis WHERE received_at > `,
    ofSource: stored(80),
    ofMachine: stored(80),
  },
];

describe.each(cases)('$feed.name', async ({ feed, at, fromFuture, ofSource, ofMachine }) => {
  const clock = testClock(at);
  let aheadMs = 0;
  const stations = (await simulatedStations()).slice(0, 60);
  const simulated = await startSimulated({
    now: () => new Date(clock.now().getTime() + aheadMs),
    stations: () => Promise.resolve(stations),
  });
  const t = await testContext({ env: { ...simulated.variables }, clock });
  afterAll(async () => {
    await t.close();
    await simulated.close();
  });
  const run = () => runFeed(t, feed, { slot: clock.now(), signal: new AbortController().signal });

  test('Data from the future are refused and counted, old data replace nothing, and the feed recovers', async () => {
    const usual = await run();
    expect(usual.kind).toBe('stored');
    for (const [minutes, expected] of [
      [40, ofSource],
      [-40, ofMachine],
    ] as const) {
      aheadMs = minutes * 60_000;
      clock.advance(121);
      expect(await run()).toMatchObject(expected);
      const limit = new Date(clock.now().getTime() + 10 * 60_000);
      expect(await t.postgres.db.any(sql`${fromFuture}${limit}`)).toEqual([]);
      aheadMs = 0;
      clock.advance(121);
      expect(await run()).toMatchObject({ kind: 'stored', rejected: 0 });
    }
  });
});
