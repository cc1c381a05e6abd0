/** When a message that was not accepted is sent again: the schedule that Standard Webhooks proposes, of three days. */
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

/** So much later an attempt may be, so that not all come at once. */
const jitterShare = 0.1;
const longestWaitSeconds = 24 * hour;

interface Attempted {
  /** Attempts so far, this one included. */
  attempts: number;
  now: Date;
  /** What the receiver asked for. */
  retryAfterSeconds: number | null;
  /** From 0 to 1. */
  chance: number;
}

/** Null: there is no further attempt. */
export const nextAttemptAt = ({ attempts, now, retryAfterSeconds, chance }: Attempted): Date | null => {
  const delay = retryDelaysSeconds[attempts - 1];
  if (delay === undefined) return null;
  const asked = Math.min(retryAfterSeconds ?? 0, longestWaitSeconds);
  return addSeconds(now, Math.round(Math.max(delay * (1 + jitterShare * chance), asked)));
};

/** 2xx: the receiver has the message. */
export const isAccepted = (status: number): boolean => status >= 200 && status < 300;

/** The receiver wants no more messages at all. */
export const isGone = (status: number): boolean => status === 410;
