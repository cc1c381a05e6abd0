/** When an undelivered message is sent again: the schedule proposed by Standard Webhooks, over three days. */
import { addSeconds } from '../time.ts';

const minute = 60;
const hour = 3_600;

/** Between the attempts. */
export const retryDelaysSeconds: readonly number[] = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** Maximum extra delay of an attempt, so that not all come at once. */
const jitterShare = 0.1;
const longestWaitSeconds = 24 * hour;

interface Attempted {
  /** Attempts so far, including this one. */
  attempts: number;
  now: Date;
  /** Requested by the receiver. */
  retryAfterSeconds: number | null;
  /** Random, from 0 to 1. */
  chance: number;
}

/** Null: no further attempt. */
export const nextAttemptAt = ({ attempts, now, retryAfterSeconds, chance }: Attempted): Date | null => {
  const delay = retryDelaysSeconds[attempts - 1];
  if (delay === undefined) return null;
  const asked = Math.min(retryAfterSeconds ?? 0, longestWaitSeconds);
  return addSeconds(now, Math.round(Math.max(delay * (1 + jitterShare * chance), asked)));
};

/** 2xx: delivered. */
export const isAccepted = (status: number): boolean => status >= 200 && status < 300;
