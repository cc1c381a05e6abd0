import { setTimeout as sleep } from 'node:timers/promises';
import type { Postgres } from './pool.ts';
import { DatabaseUnavailableError } from './unavailable.ts';
import type { Logger } from 'pino';
import { UnavailableError } from '#domain/errors.ts';

type Transaction = Postgres['transaction'];

const attempts = 3;
const pauseMs = 20;

/**
 * Wraps `transaction` so that one that the server rolled back because of a concurrent one (deadlock, serialization) is
 * run again, three times in total. Only for work without effects outside its transaction.
 */
export const repeating =
  (transaction: Transaction): Transaction =>
  async (work, actor) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await transaction(work, actor);
      } catch (error) {
        const isWorthwhile = error instanceof DatabaseUnavailableError && error.isRepeatable;
        if (!isWorthwhile || attempt >= attempts) throw error;
        // A random delay, since after equal ones two transactions that collided would collide again.
        await sleep(pauseMs * attempt * (1 + Math.random()));
      }
    }
  };

const retryMs = 250;

/** Repeats a write while the database is unavailable, until the signal: for events that are reported only once. */
export const persistently = async (
  write: () => Promise<unknown>,
  { signal, log }: { signal: AbortSignal; log: Logger },
): Promise<void> => {
  for (;;) {
    try {
      await write();
      return;
    } catch (error) {
      if (!(error instanceof UnavailableError) || signal.aborted) throw error;
      log.warn({ reason: String(error) }, 'the database is away, the write is repeated');
      await sleep(retryMs);
    }
  }
};
