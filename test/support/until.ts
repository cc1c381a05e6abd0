import { setTimeout as sleep } from 'node:timers/promises';

/** Short waits end at once; polling every 10 ms during a long one would take CPU from the awaited work. */
const leastMs = 10;
const mostMs = 50;

/**
 * Waits for a condition; the error names it. The limit only matters if the condition is never met, since a busy machine
 * may take long.
 */
export const until = async (what: string, condition: () => unknown, limitMs = 240_000): Promise<void> => {
  const startedAt = performance.now();
  while (!(await condition())) {
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > limitMs) throw new Error(`not within ${limitMs} ms: ${what}`);
    await sleep(Math.min(mostMs, Math.max(leastMs, waitedMs / 20)));
  }
};
