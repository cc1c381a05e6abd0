import type { Clock } from 'pg-boss';

/**
 * The clock of pg-boss's workers. They subtract times to know how long to sleep until the next poll, so with the wall
 * clock one set back two hours would let them sleep for two hours.
 */
export const monotonicClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout: (work, ms) => setTimeout(work, ms),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
  setInterval: (work, ms) => setInterval(work, ms),
  clearInterval: (handle) => clearInterval(handle as NodeJS.Timeout),
};
