/** State of a feed, for the status page and the operator. */
export type FeedStatus = 'up' | 'late' | 'down' | 'off';

export interface FeedPromise {
  /** Late after, down after: age of the last success in minutes. */
  graceMinutes: number;
  staleMinutes: number;
  /** No source is configured, so no data are expected. */
  isOff?: boolean;
}

/** Minutes since then, rounded down; null when it never happened. */
export const ageMinutes = (at: Date | null, now: Date): number | null =>
  at === null ? null : Math.max(0, Math.floor((now.getTime() - at.getTime()) / 60_000));

/** By the age of the last success; a feed that never succeeded is down, one without a source off. */
export const feedStatus = (promise: FeedPromise, lastSuccessAt: Date | null, now: Date): FeedStatus => {
  if (promise.isOff === true) return 'off';
  const age = ageMinutes(lastSuccessAt, now);
  if (age === null || age >= promise.staleMinutes) return 'down';
  return age >= promise.graceMinutes ? 'late' : 'up';
};
