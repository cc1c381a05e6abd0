import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for a condition; the error names what was waited for. The limit is only for a condition that is never met:
 * a machine with other things to do may take long.
 */
export const until = async (what: string, condition: () => unknown, limitMs = 240_000): Promise<void> => {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${limitMs} ms: ${what}`);
    await sleep(10);
  }
};
