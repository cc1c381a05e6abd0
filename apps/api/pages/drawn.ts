/** Files that a worker draws while the request waits. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#data/context.ts';
import type { JobContract } from '#domain/jobs/port.ts';
import { addSeconds } from '#domain/time.ts';
import { commonError } from '../errors.ts';

export interface Drawing {
  bytes: Buffer;
  etag: string;
}

export const isDrawingId = (id: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);

const waitMs = 5_000;
const lookMs = 100;
/** Jobs are enqueued right after the commit, so they are not looked for before this time. */
const lostAfterSeconds = 5;

/** Null until it is drawn, and after its file was lost. */
export const fileOf = async (
  { storage }: Pick<Context, 'storage'>,
  { path, etag }: { path: string | null; etag: string | null },
): Promise<Drawing | null> => {
  const bytes = path === null ? null : await storage.get(path);
  return bytes && { bytes: Buffer.from(bytes), etag: etag ?? '' };
};

/** True if no worker will draw it unless asked: never requested, file or job lost, or job failed. */
export const mustBeAskedFor = async (
  { clock, queues }: Pick<Context, 'clock' | 'queues'>,
  job: JobContract,
  dedupeKey: string,
  { askedAt, path }: { askedAt: Date | null; path: string | null },
): Promise<boolean> => {
  if (askedAt === null || path !== null) return true;
  if (askedAt > addSeconds(clock.now(), -lostAfterSeconds)) return false;
  return (await queues.find(job, [dedupeKey])).get(dedupeKey) !== 'queued';
};

/** The drawing as soon as `look` finds it; throws 503 after 5 s. */
export const waitForDrawing = async (look: () => Promise<Drawing | null>): Promise<Drawing> => {
  const until = performance.now() + waitMs;
  while (performance.now() < until) {
    const drawn = await look();
    if (drawn) return drawn;
    await sleep(lookMs, undefined, { ref: false });
  }
  throw commonError('SERVICE_UNAVAILABLE', {
    message: 'The drawing is not ready yet.',
    headers: { 'Retry-After': '1' },
  });
};
