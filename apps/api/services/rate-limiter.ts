import type { Context } from '#data/context.ts';
import { isDatabaseUnavailable } from '#data/postgres/pool.ts';
import { rateLimitWrites } from '#data/postgres/requests/rate-limits.ts';
import type { Count } from '#data/postgres/requests/rate-limits.ts';
import { commonError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Limit, LimitName } from '../limits.ts';

export interface Subject {
  userId: number | null;
  developerKeyId: number | null;
  email: string | null;
  ip: string;
}

export interface RateLimiter {
  /** Counts one call; throws RATE_LIMITED (with Retry-After) when the limit is used up. Returns the headers. */
  take(name: LimitName, subject: Subject): Promise<Record<string, string>>;
  close(): Promise<void>;
}

const flushMs = 250;

interface Counter {
  /** Total of all processes as of the last flush, and ours since then. */
  shared: number;
  unsent: number;
  windowStart: number;
  perSeconds: number;
}

/** One counter per account: limits count before the input is validated, which trims and bounds the address. */
const counted = (email: string): string => email.trim().toLowerCase().replaceAll('\0', '').slice(0, 254);

const keyOf = (name: LimitName, by: Limit['by'], subject: Subject): string => {
  const user = subject.userId === null ? `ip:${subject.ip}` : `user:${subject.userId}`;
  const values: Record<Limit['by'], string> = {
    user,
    ip: `ip:${subject.ip}`,
    keyAndUser: `key:${subject.developerKeyId ?? '-'} ${user}`,
    emailAndIp: `mail:${subject.email === null ? '-' : counted(subject.email)} ip:${subject.ip}`,
  };
  return `${name} ${values[by]}`;
};

/** Fixed windows. Exact limits ask the database on each call, the general one adds up and syncs in between. */
export const createRateLimiter = (context: Context): RateLimiter => {
  const add = (counts: readonly Count[]): Promise<number[]> =>
    context.postgres.transaction((tx) => rateLimitWrites(tx).add(counts));
  const counters = new Map<string, Counter>();

  const flush = async () => {
    const now = context.clock.now().getTime();
    for (const [key, counter] of counters) {
      if (counter.windowStart + counter.perSeconds * 1000 < now) counters.delete(key);
    }
    const pending = [...counters].filter(([, counter]) => counter.unsent > 0);
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
      // Reads must go on without the database's counters; this process still counts for itself.
      context.log.warn({ err: error }, 'rate limit counters could not be shared');
    }
  };
  let flushing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    flushing = flushing.then(flush);
  }, flushMs);
  timer.unref();

  const countLocally = (key: string, windowStart: number, perSeconds: number): number => {
    const known = counters.get(key);
    const counter =
      known?.windowStart === windowStart ? known : { shared: 0, unsent: 0, windowStart, perSeconds };
    counters.set(key, counter);
    counter.unsent += 1;
    return counter.shared + counter.unsent;
  };

  const countExactly = async (key: string, windowStart: number, perSeconds: number): Promise<number> => {
    try {
      const [total] = await add([{ key, windowStart: new Date(windowStart), perSeconds, by: 1 }]);
      return total ?? 1;
    } catch (error) {
      if (isDatabaseUnavailable(error))
        throw commonError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '2' } });
      throw error;
    }
  };

  return {
    take: async (name, subject) => {
      const limit: Limit = limits[name];
      const max = limit.scaled ? Math.ceil(limit.max * context.config.RATE_LIMIT_SCALE) : limit.max;
      const now = context.clock.now().getTime();
      const windowMs = limit.perSeconds * 1000;
      const windowStart = Math.floor(now / windowMs) * windowMs;
      const key = keyOf(name, limit.by, subject);
      const used = limit.exact
        ? await countExactly(key, windowStart, limit.perSeconds)
        : countLocally(key, windowStart, limit.perSeconds);
      const resetSeconds = Math.max(1, Math.ceil((windowStart + windowMs - now) / 1000));
      const headers = {
        'RateLimit-Policy': `"${name}";q=${max};w=${limit.perSeconds}`,
        RateLimit: `"${name}";r=${Math.max(0, max - used)};t=${resetSeconds}`,
      };
      if (used > max) {
        throw commonError('RATE_LIMITED', { headers: { ...headers, 'Retry-After': String(resetSeconds) } });
      }
      return headers;
    },
    close: async () => {
      clearInterval(timer);
      await flushing;
      await flush();
    },
  };
};
