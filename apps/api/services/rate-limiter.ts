import { SocketAddress, isIPv4, isIPv6 } from 'node:net';
import type { Context } from '#data/context.ts';
import { rateLimitWrites } from '#store/postgres/requests/rate-limits.ts';
import { UnavailableError } from '#domain/errors.ts';
import { ApiError, commonError, unavailableOf } from '../errors.ts';
import type { Limit } from '../limits.ts';

/** `::ffff:192.0.2.1` is an IPv4 address received over an IPv6 socket. */
const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The eight groups of a canonical IPv6 address. */
const groupsOf = (address: string): string[] => {
  const [left = [], right = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right];
};

/**
 * The network whose calls are counted together, since a client can choose any address in it: an IPv4 address, or the /64
 * of an IPv6 address. Anything else is returned unchanged.
 */
export const networkOf = (ip: string): string => {
  // Most are IPv4 addresses, already in canonical form.
  if (!ip.includes(':')) return ip;
  const v4 = mapped.exec(ip)?.[1];
  if (v4 !== undefined && isIPv4(v4)) return v4;
  const [bare = ip] = ip.split('%', 1);
  if (!isIPv6(bare)) return ip;
  // Canonical, without an IPv4 suffix.
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' });
  const embedded = mapped.exec(address)?.[1];
  if (embedded !== undefined) return embedded;
  if (address.includes('.')) return address;
  return `${groupsOf(address).slice(0, 4).join(':')}::/64`;
};

export interface LimitResult {
  /** `RateLimit` and `RateLimit-Policy`; computed lazily, because only one of several limits is shown. */
  headersOf: () => Record<string, string>;
  /** Share of the points that remains in this window, 0 to 1. */
  left: number;
  /** Call it when the limited work has succeeded or failed. Never rejects: at worst a point stays counted. */
  adjust: (succeeded: boolean) => Promise<void>;
}

/** Maximum counters per limit, because addresses cost an attacker little. */
const maxCounters = 200_000;

interface Used {
  points: number;
  endsInSeconds: number;
}

/** The fixed window that contains this time. */
const windowAt = (at: Date, perSeconds: number): { start: number; endsInSeconds: number } => {
  const windowMs = perSeconds * 1_000;
  const start = Math.floor(at.getTime() / windowMs) * windowMs;
  return { start, endsInSeconds: Math.max(1, Math.ceil((start + windowMs - at.getTime()) / 1_000)) };
};

export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'RATE_LIMITED';

/**
 * Fixed windows, except for sliding limits. Exact limits are counted in the database for all processes, approximate
 * ones in each process.
 */
export const createRateLimiter = ({ clock, config, log, postgres }: Context) => {
  /** The current window by limit name. */
  const windows = new Map<string, { start: number; used: Map<string, number> }>();

  const countLocally = ({ name, perSeconds }: Limit, value: string, cost: number): Used => {
    const { start, endsInSeconds } = windowAt(clock.now(), perSeconds);
    const known = windows.get(name);
    const { used } = known?.start === start ? known : { used: new Map<string, number>() };
    windows.set(name, { start, used });
    const points = (used.get(value) ?? 0) + cost;
    if (used.size >= maxCounters && !used.has(value)) used.delete(used.keys().next().value ?? '');
    used.set(value, points);
    return { points, endsInSeconds };
  };

  const countExactly = async (limit: Limit, value: string, by: number, at: Date): Promise<Used> => {
    const { name, perSeconds, isSliding = false } = limit;
    const key = `${name} ${value}`;
    const { start, endsInSeconds } = windowAt(at, perSeconds);
    try {
      return await postgres.transaction(async (tx) => {
        const counts = rateLimitWrites(tx);
        if (!isSliding)
          return { points: await counts.add({ key, at: new Date(start), perSeconds, by }), endsInSeconds };
        const { used, oldest } = await counts.slide({ key, at, perSeconds, by });
        const sinceOldest = (at.getTime() - (oldest ?? at).getTime()) / 1_000;
        return { points: used, endsInSeconds: Math.max(1, Math.ceil(perSeconds - sinceOldest)) };
      });
    } catch (error) {
      // The request itself was not carried out, so the error must not suggest otherwise.
      throw error instanceof UnavailableError ? unavailableOf(error) : error;
    }
  };

  /** Refunds the window in which the point was taken; a later one has not counted it. */
  const refundPoints = async (limit: Limit, value: string, takenAt: Date): Promise<void> => {
    try {
      if (!limit.isApproximate) await countExactly(limit, value, -1, takenAt);
      else if (windows.get(limit.name)?.start === windowAt(takenAt, limit.perSeconds).start)
        countLocally(limit, value, -1);
    } catch (error) {
      log.warn({ err: error, limit: limit.name }, 'a point could not be given back');
    }
  };

  const evaluate = (
    limit: Limit,
    value: string,
    { points: used, endsInSeconds }: Used,
    at: Date,
  ): LimitResult => {
    const { name, points, perSeconds, isFixed, counts } = limit;
    const max = isFixed ? points : Math.ceil(points * config.RATE_LIMIT_SCALE);
    const headersOf = () => ({
      'RateLimit-Policy': `"${name}";q=${max};w=${perSeconds}`,
      RateLimit: `"${name}";r=${Math.max(0, max - used)};t=${endsInSeconds}`,
    });
    if (used > max)
      throw commonError('RATE_LIMITED', {
        headers: { ...headersOf(), 'Retry-After': String(endsInSeconds) },
      });
    const adjust = async (succeeded: boolean): Promise<void> => {
      if (counts === (succeeded ? 'failures' : 'successes')) await refundPoints(limit, value, at);
    };
    return { left: (max - used) / max, headersOf, adjust };
  };

  /**
   * Takes `cost` points for this value before any work. Throws RATE_LIMITED (with Retry-After) when the window is used
   * up.
   */
  const take = async (limit: Limit, value: string, cost = 1): Promise<LimitResult> => {
    const at = clock.now();
    const used = limit.isApproximate
      ? countLocally(limit, value, cost)
      : await countExactly(limit, value, cost, at);
    try {
      return evaluate(limit, value, used, at);
    } catch (error) {
      // Refused calls do not count against limits on successes.
      if (limit.counts === 'successes') await refundPoints(limit, value, at);
      throw error;
    }
  };

  return {
    take,
    /** Runs `work` under all of these limits. */
    limited: async <T>(
      limits: readonly (readonly [Limit, value: string])[],
      work: () => Promise<T>,
    ): Promise<T> => {
      const taken: LimitResult[] = [];
      let succeeded = false;
      try {
        for (const [limit, value] of limits) taken.push(await take(limit, value));
        const result = await work();
        succeeded = true;
        return result;
      } finally {
        for (const { adjust } of taken) await adjust(succeeded);
      }
    },
  };
};

export type RateLimiter = ReturnType<typeof createRateLimiter>;
