/** Files that a worker draws while their request waits. */
import type { Context } from '#data/context.ts';
import { commonError } from '../errors.ts';
import type { DrawnSignals } from '../services/services.ts';

export interface Drawing {
  bytes: Buffer;
  etag: string;
}

const waitMs = 5_000;
/** Poll interval in case a notification is missed (its connection may be down). */
const lookMs = 500;
/** A job is added right after the commit that enqueues it: it is not checked before this time. */
export const lostAfterSeconds = 5;

/** Null until it is drawn, and when its file is lost. */
export const fileOf = async (
  { storage }: Pick<Context, 'storage'>,
  { path, etag }: { path: string | null; etag: string | null },
): Promise<Drawing | null> => {
  const bytes = path === null ? null : await storage.get(path);
  return bytes && { bytes: Buffer.from(bytes), etag: etag ?? '' };
};

/** Looks at once, whenever a drawing of this id is announced, and now and then; throws 503 after 5 s. */
export const waitForDrawing = async (
  signals: DrawnSignals,
  publicId: string,
  look: () => Promise<Drawing | null>,
): Promise<Drawing> => {
  const until = performance.now() + waitMs;
  for (let left = waitMs; left > 0; left = until - performance.now()) {
    // Listen before checking, so that a picture finished in between is not missed.
    const announced = signals.wait(publicId, Math.min(lookMs, left));
    const drawn = await look();
    if (drawn) return drawn;
    await announced;
  }
  throw commonError('SERVICE_UNAVAILABLE', {
    message: 'The drawing is not ready yet.',
    headers: { 'Retry-After': '1' },
  });
};
