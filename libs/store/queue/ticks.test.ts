import { schedule } from 'node-cron';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { untilNextMinute, slotKey } from '#domain/schedule/claims.ts';
import type { Slot } from '#domain/schedule/claims.ts';
import { testClock, testContext } from '#test/harness.ts';
import type { TestClock } from '#test/harness.ts';
import { runSql } from '#test/support/sql.ts';
import { startTicks } from './ticks.ts';

const zone = process.env['TZ'];
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

const schedules = { minute: '* * * * *', tenMinutes: '*/10 * * * *', hour: '0 * * * *', day: '0 4 * * *' };

describe('ticks when the wall clock is changed', async () => {
  const t = await testContext();
  afterAll(() => t.close());
  beforeEach(() => runSql(t.postgres)`DELETE FROM tick`);

  /** A scheduler whose waits are ended by the test; `keys` are the dedupe keys of its jobs. */
  const schedulerOf = (clock: TestClock, keys: string[]) => {
    let waiting = Promise.withResolvers<number>();
    let wake: () => void = () => undefined;
    const ticks = Object.entries(schedules).map(([name, cron]) => ({
      name,
      cron,
      enqueue: async (_tx: unknown, slot: Slot) => void keys.push(`${name} ${slotKey(slot)}`),
    }));
    const stop = startTicks({ clock, log: t.log, postgres: t.postgres }, ticks, (ms) => {
      waiting.resolve(ms);
      return new Promise<void>((resolve) => {
        wake = resolve;
      });
    });
    return {
      /** Milliseconds for which it waits after a check. */
      asleep: () => waiting.promise,
      /** Ends its wait, so that the next check runs. */
      look: async (): Promise<number> => {
        waiting = Promise.withResolvers<number>();
        wake();
        return waiting.promise;
      },
      stop: async () => {
        const stopped = stop();
        wake();
        await stopped;
      },
    };
  };

  /** Runs two schedulers through the minutes after a clock step; returns what they enqueued, in order. */
  const afterStep = async (start: string, step: number, minutes: number): Promise<string[]> => {
    const clock = testClock(start);
    const keys: string[] = [];
    const both = [schedulerOf(clock, keys), schedulerOf(clock, keys)];
    await Promise.all(both.map((scheduler) => scheduler.asleep()));
    clock.advance(60);
    await Promise.all(both.map((scheduler) => scheduler.look()));
    const before = new Set(keys);
    clock.advance(step * 60);
    for (let minute = 0; minute <= minutes; minute++) {
      const waits = await Promise.all(both.map((scheduler) => scheduler.look()));
      for (const ms of waits) expect(ms).toBeLessThanOrEqual(60_000);
      if (minute < minutes) clock.advance(60);
    }
    await Promise.all(both.map((scheduler) => scheduler.stop()));
    const after = keys.slice(before.size);
    // A key that exists already would be dropped by the queue.
    expect(after.filter((key) => before.has(key))).toEqual([]);
    return after;
  };

  test('With the clock set ten minutes back, minutes continue at once under new keys, each once', async () => {
    expect(await afterStep('2026-09-16T12:04:30Z', -10, 2)).toEqual([
      'minute 2026-09-16T11:56:00.000Z#1',
      'minute 2026-09-16T11:57:00.000Z#1',
    ]);
  });

  test('With the clock set two hours back, every schedule continues, and slots reached again run again', async () => {
    const keys = await afterStep('2026-09-16T05:57:30Z', -120, 3);
    expect(keys).toEqual([
      'minute 2026-09-16T03:59:00.000Z#1',
      'minute 2026-09-16T04:00:00.000Z#1',
      'tenMinutes 2026-09-16T04:00:00.000Z#1',
      'hour 2026-09-16T04:00:00.000Z#1',
      'day 2026-09-16T04:00:00.000Z#1',
      'minute 2026-09-16T04:01:00.000Z#1',
    ]);
  });

  test.each([
    [10, '2026-09-16T12:04:30Z', ['minute', 'tenMinutes'], '2026-09-16T12:15'],
    [120, '2026-09-16T02:30:30Z', ['minute', 'tenMinutes', 'hour', 'day'], '2026-09-16T04:31'],
  ])(
    'With the clock set %i minutes forward, missed slots run once, not once each',
    async (step, start, names, minute) => {
      const keys = await afterStep(start, step, 0);
      expect(keys.map((key) => key.split(' ')[0])).toEqual(names);
      expect(keys[0]).toBe(`minute ${minute}:00.000Z`);
    },
  );

  test('A second step back of the clock uses new keys', async () => {
    const first = await afterStep('2026-09-16T12:04:30Z', -10, 2);
    const second = await afterStep('2026-09-16T12:04:30Z', -10, 2);
    expect(first.filter((key) => second.includes(key))).toEqual([]);
  });

  test('A scheduler started after the step back continues within a minute', async () => {
    const clock = testClock('2026-09-16T12:00:30Z');
    const keys: string[] = [];
    const before = schedulerOf(clock, keys);
    await before.asleep();
    clock.advance(60);
    await before.look();
    await before.stop();
    clock.advance(-7_200);
    const after = schedulerOf(clock, keys);
    await after.asleep();
    clock.advance(60);
    await after.look();
    await after.stop();
    expect(keys).toEqual(['minute 2026-09-16T12:01:00.000Z', 'minute 2026-09-16T10:02:00.000Z#1']);
  });

  test('Two hosts with clocks seconds apart enqueue each slot once', async () => {
    const keys: string[] = [];
    const clocks = [testClock('2026-09-16T12:01:58Z'), testClock('2026-09-16T12:02:03Z')];
    const both = clocks.map((clock) => schedulerOf(clock, keys));
    await Promise.all(both.map((scheduler) => scheduler.asleep()));
    for (let minute = 0; minute < 2; minute++) {
      for (const [i, scheduler] of both.entries()) {
        clocks[i]?.advance(60);
        await scheduler.look();
      }
    }
    await Promise.all(both.map((scheduler) => scheduler.stop()));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.at(-1)).toBe('minute 2026-09-16T12:04:00.000Z');
  });

  test.each([
    ['Europe/Berlin', '2026-03-29T00:58:30Z'],
    ['Europe/Berlin', '2026-10-25T00:58:30Z'],
    ['America/New_York', '2026-11-01T05:58:30Z'],
  ])('Daylight saving time of %s at %s has no effect', async (host, start) => {
    process.env['TZ'] = host;
    const clock = testClock(start);
    const offset = () => clock.now().getTimezoneOffset();
    const offsetBefore = offset();
    const keys: string[] = [];
    const scheduler = schedulerOf(clock, keys);
    await scheduler.asleep();
    for (let minute = 0; minute < 4; minute++) {
      clock.advance(60);
      await scheduler.look();
    }
    await scheduler.stop();
    expect(offset()).not.toBe(offsetBefore);
    const hour = start.slice(0, 11) + String(Number(start.slice(11, 13)) + 1).padStart(2, '0');
    expect(keys.filter((key) => key.startsWith('minute'))).toHaveLength(4);
    expect(keys.filter((key) => !key.startsWith('minute'))).toEqual([
      `tenMinutes ${hour}:00:00.000Z`,
      `hour ${hour}:00:00.000Z`,
    ]);
  });

  test('A slot that could not be enqueued is retried at the next check', async () => {
    const clock = testClock('2026-09-16T03:59:30Z');
    const done: string[] = [];
    let fails = 2;
    const enqueue = async (_tx: unknown, slot: Slot) => {
      if (fails-- > 0) throw new Error('no queue');
      done.push(slotKey(slot));
    };
    const looks: (() => void)[] = [];
    let looked = Promise.withResolvers<void>();
    const stop = startTicks(
      { clock, log: t.log, postgres: t.postgres },
      [{ name: 'daily', cron: '0 4 * * *', enqueue }],
      () => {
        looked.resolve();
        return new Promise<void>((resolve) => looks.push(resolve));
      },
    );
    for (let minute = 0; minute < 4; minute++) {
      await looked.promise;
      looked = Promise.withResolvers<void>();
      clock.advance(60);
      looks.at(-1)?.();
    }
    await looked.promise;
    const stopped = stop();
    looks.at(-1)?.();
    await stopped;
    expect(done).toEqual(['2026-09-16T04:00:00.000Z']);
  });
});

test.each(['2026-09-16T12:00:00.000Z', '2026-09-16T12:00:00.001Z', '2026-09-16T12:00:59.999Z'])(
  'From %s the next check is at most a minute away',
  (now) => {
    const ms = untilNextMinute(new Date(now));
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThanOrEqual(60_000);
  },
);

test('The ticks of node-cron itself stop for as long as the clock was set back, so they are not used', async () => {
  vi.useFakeTimers({ now: new Date('2026-09-16T12:00:30Z') });
  const ticked = vi.fn();
  const task = schedule('* * * * *', ticked, { timezone: 'UTC', noOverlap: true });
  try {
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ticked).toHaveBeenCalledTimes(1);
    vi.setSystemTime(new Date('2026-09-16T10:01:30Z'));
    await vi.advanceTimersByTimeAsync(5 * 60_000);
    // When this fails, the loop of ticks.ts can be a task of node-cron: see ADR 10.
    expect(ticked).toHaveBeenCalledTimes(1);
  } finally {
    await task.destroy();
    vi.useRealTimers();
  }
});
