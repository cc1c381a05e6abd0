import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { UnavailableError } from '#domain/errors.ts';

const retryMs = 250;

/** Repeats a write while the database is away, until the signal: for what is reported only once. */
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
