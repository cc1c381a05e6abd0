/** State of a feed, for the status page and the operator. `seed`: only bundled data so far. */
export type FeedStatus = 'up' | 'late' | 'down' | 'off' | 'seed';

export interface FeedPromise {
  /** Minutes since the last success after which the feed is late. */
  graceMinutes: number;
  /** Minutes since the last success after which the feed is down. */
  staleMinutes: number;
  /** No source is configured, so no data are expected. */
  isOff?: boolean;
  /** Date of the bundled data (`YYYY-MM-DD`), until a run has succeeded. */
  seedDate?: string | null;
}

/** Minutes since a time, rounded down; null without a time. */
export const ageMinutes = (at: Date | null, now: Date): number | null =>
  at === null ? null : Math.max(0, Math.floor((now.getTime() - at.getTime()) / 60_000));

/** The status by the age of the last success; a feed that has never succeeded is down, a feed without a source is off. */
export const feedStatus = (promise: FeedPromise, lastSuccessAt: Date | null, now: Date): FeedStatus => {
  if (promise.isOff === true) return 'off';
  if (lastSuccessAt === null && typeof promise.seedDate === 'string') return 'seed';
  const age = ageMinutes(lastSuccessAt, now);
  if (age === null || age >= promise.staleMinutes) return 'down';
  return age >= promise.graceMinutes ? 'late' : 'up';
};

/** When the last success became too old; null if it is not too old, if there was none, or if the feed is off. */
export const lateSince = (promise: FeedPromise, lastSuccessAt: Date | null, now: Date): Date | null => {
  const status = feedStatus(promise, lastSuccessAt, now);
  if (lastSuccessAt === null || (status !== 'late' && status !== 'down')) return null;
  return new Date(lastSuccessAt.getTime() + Math.min(promise.graceMinutes, promise.staleMinutes) * 60_000);
};
