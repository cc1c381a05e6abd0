/** How soon a driver notices that the process of a running job was killed, in milliseconds. */
export const takeover = {
  postgres: {
    /** A job without a heartbeat for this long belongs to a killed process: the minimum of pg-boss. */
    silentMs: 10_000,
    /** One of the processes looks for them in each interval. */
    superviseMs: 1_000,
    /** The retry is due immediately; the worker polls this often. */
    pollMs: 1_000,
  },
  redis: {
    /** The lock of a running job, renewed at half of it. */
    lockMs: 7_000,
    /** A check after the lock has ended moves the job; of several workers, one checks in each interval. */
    stalledCheckMs: 2_000,
  },
} as const;

const { postgres, redis } = takeover;

/** The longest time from the kill to the next run, where the machine has time for both. */
export const longestTakeoverMs = {
  postgres: postgres.silentMs + 2 * postgres.superviseMs + postgres.pollMs,
  // The killed process may have had the last check, so that the next one is nearly two intervals later.
  redis: redis.lockMs + 2 * redis.stalledCheckMs,
} as const;

/** Limit for every lane on every driver. */
export const takeoverLimitMs = 15_000;
