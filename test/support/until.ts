import { setTimeout as sleep } from 'node:timers/promises';

/** A short wait is noticed at once; in a long one to ask each 10 ms would take the processor from what is waited for. */
const leastMs = 10;
const mostMs = 50;

/**
 * Waits for a condition; the error names what was waited for. The limit is only for a condition that is never met:
 * a machine with other things to do may take long.
 */
export const until = async (what: string, condition: () => unknown, limitMs = 240_000): Promise<void> => {
  const startedAt = performance.now();
  while (!(await condition())) {
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > limitMs) throw new Error(`not within ${limitMs} ms: ${what}`);
    await sleep(Math.min(mostMs, Math.max(leastMs, waitedMs / 20)));
  }
};
