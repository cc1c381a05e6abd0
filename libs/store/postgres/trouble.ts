import { DatabaseUnavailableError } from './unavailable.ts';

/** Long enough for a few health checks; afterwards calls show whether it is over. */
const memoryMs = 10_000;

interface Trouble {
  note: (error: unknown) => void;
  /** The reason of a recent failure that a read would not show, such as `disk full`, or null. */
  current: () => string | null;
}

export const createTrouble = (): Trouble => {
  let last: { reason: string; at: number } | null = null;
  return {
    note: (error) => {
      if (error instanceof DatabaseUnavailableError && error.isHiddenFromReads)
        last = { reason: error.reason, at: performance.now() };
    },
    current: () => (last !== null && performance.now() - last.at < memoryMs ? last.reason : null),
  };
};
