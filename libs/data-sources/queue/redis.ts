import { Redis } from 'ioredis';
import type { Logger } from 'pino';

/**
 * A connection that logs only the first of consecutive failures; `forWorker` waits for Redis instead of failing
 * fast.
 */
export const connectRedis = (url: string, log: Logger, use: 'producer' | 'worker'): Redis => {
  const redis = new Redis(url, {
    connectTimeout: 2_000,
    enableOfflineQueue: use === 'worker',
    maxRetriesPerRequest: use === 'worker' ? null : 1,
    retryStrategy: (times: number) => Math.min(times * 100, 2_000),
  });
  let failing = false;
  redis.on('error', (error: Error) => {
    log[failing ? 'debug' : 'warn']({ err: error }, 'redis cannot be reached');
    failing = true;
  });
  redis.on('ready', () => {
    if (failing) log.info('redis is back');
    failing = false;
  });
  return redis;
};

/** Resolves true when the connection is ready within the limit. */
export const isReadyWithin = async (redis: Redis, limitMs: number): Promise<boolean> => {
  const end = performance.now() + limitMs;
  while (redis.status !== 'ready' && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return redis.status === 'ready';
};

class RedisTimeoutError extends Error {
  override name = 'RedisTimeoutError';
}

/** The answer of Redis, or a rejection after this time: a frozen server never answers. */
export const within = async <T>(limitMs: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new RedisTimeoutError(`redis took more than ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
};
