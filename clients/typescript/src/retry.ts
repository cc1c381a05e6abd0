import type { EfbError } from './errors.ts';

/** Refused before anything was run, although the first call with the key may still be running. */
const isRefused = ({ code }: EfbError): boolean =>
  code === 'RATE_LIMITED' || code === 'IDEMPOTENCY_KEY_IN_USE';

/** 128 random bits in hex. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const isTemporary = ({ code, status }: EfbError): boolean =>
  code === 'NETWORK_ERROR' || code === 'TIMEOUT' || status === 502 || status === 503 || status === 504;

/** A refused call may always be retried; one with an unknown outcome only if a second run does no harm. */
export const isRepeatable = (error: EfbError, isSafe: boolean): boolean =>
  isRefused(error) || (isSafe && isTemporary(error));

/**
 * Milliseconds before retry `attempt` (from 0): Retry-After plus up to a quarter of it or a second, else exponential
 * backoff with full jitter, so that clients do not return together.
 */
export const waitMs = (
  { retryAfterSeconds }: Pick<EfbError, 'retryAfterSeconds'>,
  attempt: number,
  random: () => number = Math.random,
): number => {
  if (retryAfterSeconds === null) return random() * 250 * 2 ** attempt;
  const ms = retryAfterSeconds * 1000;
  return ms + random() * Math.min(1000, ms / 4);
};

/** Rejects with the signal's reason as soon as it is aborted. */
export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
