import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';

/** Command timeout: a frozen server never answers. */
export const redisAnswerMs = 2_000;

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

/** The answer of Redis, or a rejection after this time. */
export const within = <T>(limitMs: number, work: Promise<T>): Promise<T> => {
  const limit = sleep(limitMs, null, { ref: false }).then((): never => {
    throw new Error(`redis took more than ${limitMs} ms`);
  });
  return Promise.race([work, limit]);
};
