import type { Context } from '#data/context.ts';
import { rateLimitWrites } from '#data/postgres/requests/rate-limits.ts';
import type { Count } from '#data/postgres/requests/rate-limits.ts';
import { UnavailableError } from '#domain/errors.ts';
import { commonError } from '../errors.ts';
import { unavailableOf } from '../unavailable.ts';
import type { Limit } from '../limits.ts';

export interface Taken {
  /** `RateLimit` and `RateLimit-Policy`; a function because of several limits only one is shown. */
  headersOf: () => Record<string, string>;
  /** Share of the points that remains in this window, 0 to 1. */
  left: number;
}

export interface RateLimiter {
  /**
   * Counts `cost` points for this value of the limited subject. Throws RATE_LIMITED (with Retry-After) when the
   * points of the window are used up.
   */
  take: (limit: Limit, value: string, cost?: number) => Promise<Taken>;
  /** The same for an approximate limit, which needs no statement. */
  takeLocally: (limit: Limit, value: string, cost?: number) => Taken;
  /** Throws RATE_LIMITED when no point is left; takes none. */
  check: (limit: Limit, value: string) => Promise<Taken>;
  /** Takes one point, also when none is left. Never rejects, as `giveBack`. */
  count: (limit: Limit, value: string) => Promise<void>;
  /**
   * Returns one point to the window in which it was taken. Never rejects: what the call did has been done, and a lost point
   * only counts once more.
   */
  giveBack: (limit: Limit, value: string, takenAt: Date) => Promise<void>;
  /** Shares the counts since the last time; called every 250 ms. */
  flush: () => Promise<void>;
  close: () => Promise<void>;
}

const flushMs = 250;
/** Maximum number of counters, because addresses cost an attacker little. */
const maxCounters = 200_000;

interface Counter {
  /** Total of all processes as of the last flush, and ours since then. */
  shared: number;
  unsent: number;
  windowStart: number;
  perSeconds: number;
}

interface Window {
  key: string;
  start: number;
  endsInSeconds: number;
}

/**
 * Fixed windows, but for limits that slide. Exact limits are counted in the database on each call, approximate ones in
 * memory and synchronised in between.
 */
export const createRateLimiter = (context: Context): RateLimiter => {
  const add = (counts: readonly Count[]): Promise<number[]> =>
    context.postgres.transaction((tx) => rateLimitWrites(tx).add(counts));
  const counters = new Map<string, Counter>();

  const flush = async () => {
    const now = context.clock.now().getTime();
    for (const [key, counter] of counters) {
      if (counter.windowStart + counter.perSeconds * 1000 < now) counters.delete(key);
    }
    const pending = [...counters].filter(([, counter]) => counter.unsent !== 0);
    if (pending.length === 0) return;
    const sent = pending.map(([key, counter]) => ({
      key,
      windowStart: new Date(counter.windowStart),
      perSeconds: counter.perSeconds,
      by: counter.unsent,
    }));
    for (const [, counter] of pending) {
      counter.shared += counter.unsent;
      counter.unsent = 0;
    }
    try {
      const totals = await add(sent);
      pending.forEach(([, counter], i) => {
        counter.shared = Math.max(counter.shared, totals[i] ?? 0);
      });
    } catch (error) {
      // Reads must continue without the database's counters; this process still counts on its own.
      context.log.warn({ err: error }, 'rate limit counters could not be shared');
    }
  };
  let flushing: Promise<void> = Promise.resolve();
  const flushInTurn = (): Promise<void> => {
    flushing = flushing.then(flush);
    return flushing;
  };
  const timer = setInterval(() => void flushInTurn(), flushMs);
  timer.unref();

  const countLocally = ({ key, start }: Window, perSeconds: number, cost: number): number => {
    const known = counters.get(key);
    if (known?.windowStart === start) {
      known.unsent += cost;
      return known.shared + known.unsent;
    }
    if (!known && counters.size >= maxCounters) counters.delete(counters.keys().next().value ?? '');
    counters.set(key, { shared: 0, unsent: cost, windowStart: start, perSeconds });
    return cost;
  };

  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      // Whether this call was counted says nothing about the requested change, which was not made.
      throw error instanceof UnavailableError ? unavailableOf(error) : error;
    }
  };

  const countExactly = async ({ key, start }: Window, perSeconds: number, cost: number): Promise<number> => {
    const [total] = await counted(() => add([{ key, windowStart: new Date(start), perSeconds, by: cost }]));
    return total ?? cost;
  };

  const windowOf = ({ name, perSeconds }: Limit, value: string, at = context.clock.now()): Window => {
    const now = at.getTime();
    const windowMs = perSeconds * 1000;
    const start = Math.floor(now / windowMs) * windowMs;
    return {
      key: `${name} ${value}`,
      start,
      endsInSeconds: Math.max(1, Math.ceil((start + windowMs - now) / 1000)),
    };
  };

  const countSliding = async (
    { perSeconds }: Limit,
    { key }: Window,
    cost: number,
    at: Date,
  ): Promise<{ window: Window; used: number }> => {
    const count = { key, at, perSeconds, by: cost };
    const { used, oldest } = await counted(() =>
      context.postgres.transaction((tx) => rateLimitWrites(tx).slide(count)),
    );
    const start = (oldest ?? at).getTime();
    const endsInSeconds = Math.max(1, Math.ceil(perSeconds - (at.getTime() - start) / 1_000));
    return { window: { key, start, endsInSeconds }, used };
  };

  /** What is used afterwards, and the window in which it is. */
  const count = async (
    limit: Limit,
    value: string,
    cost: number,
    at = context.clock.now(),
  ): Promise<{ window: Window; used: number }> => {
    const window = windowOf(limit, value, at);
    if (limit.isSliding) return countSliding(limit, window, cost, at);
    const { perSeconds, isApproximate } = limit;
    const used = isApproximate
      ? countLocally(window, perSeconds, cost)
      : await countExactly(window, perSeconds, cost);
    return { window, used };
  };

  const judge = (limit: Limit, { endsInSeconds }: Window, used: number): Taken => {
    const { name, points, perSeconds, isFixed } = limit;
    const max = isFixed ? points : Math.ceil(points * context.config.RATE_LIMIT_SCALE);
    const headersOf = () => ({
      'RateLimit-Policy': `"${name}";q=${max};w=${perSeconds}`,
      RateLimit: `"${name}";r=${Math.max(0, max - used)};t=${endsInSeconds}`,
    });
    if (used > max)
      throw commonError('RATE_LIMITED', {
        headers: { ...headersOf(), 'Retry-After': String(endsInSeconds) },
      });
    return { left: (max - used) / max, headersOf };
  };

  /** Changes the count of a call that has been answered already. */
  const settle = async (limit: Limit, value: string, points: 1 | -1, at?: Date): Promise<void> => {
    try {
      await count(limit, value, points, at);
    } catch (error) {
      context.log.warn({ err: error, limit: limit.name }, 'a point could not be counted or given back');
    }
  };

  return {
    take: async (limit, value, cost = 1) => {
      const { window, used } = await count(limit, value, cost);
      return judge(limit, window, used);
    },
    takeLocally: (limit, value, cost = 1) => {
      const window = windowOf(limit, value);
      return judge(limit, window, countLocally(window, limit.perSeconds, cost));
    },
    check: async (limit, value) => {
      const { window, used } = await count(limit, value, 0);
      // Refuses when the call, if it failed, would be one too many.
      judge(limit, window, used + 1);
      return judge(limit, window, used);
    },
    count: (limit, value) => settle(limit, value, 1),
    giveBack: async (limit, value, takenAt) => {
      // The next window has not counted it.
      const isCounted =
        limit.isSliding === true || windowOf(limit, value, takenAt).start === windowOf(limit, value).start;
      if (isCounted) await settle(limit, value, -1, takenAt);
    },
    flush: flushInTurn,
    close: async () => {
      clearInterval(timer);
      await flushInTurn();
    },
  };
};
