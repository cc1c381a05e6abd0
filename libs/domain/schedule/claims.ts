import { addSeconds, minuteMs } from '../time.ts';

/** A scheduled time. If a clock is set back, the same time recurs with a higher round. */
export interface Slot {
  at: Date;
  round: number;
}

/** Part of a dedupe key: equal for all processes at the slot, and different in every round. */
export const slotKey = ({ at, round }: Slot): string =>
  round === 0 ? at.toISOString() : `${at.toISOString()}#${round}`;

/** A last slot further in the future means that a clock was set back; less is the skew between hosts. */
const skewSeconds = 60;

type ClaimKind =
  /** A new slot: its work must be enqueued. */
  | 'due'
  /** Already enqueued, possibly by another process. */
  | 'known'
  /** Never checked before; earlier slots do not matter. */
  | 'first'
  /** A clock was set back: the schedule continues from the present. */
  | 'back'
  /** Another host's clock is slightly ahead and has enqueued a later slot. */
  | 'ahead';

export interface Claim {
  kind: ClaimKind;
  slot: Slot;
}

/** Compares the clock with a schedule's last slot; `at` is its slot at `now`. */
export const claimOf = (last: Slot | null, at: Date, now: Date): Claim => {
  if (last === null) return { kind: 'first', slot: { at, round: 0 } };
  const { round } = last;
  if (at > last.at) return { kind: 'due', slot: { at, round } };
  if (last.at > addSeconds(now, skewSeconds)) return { kind: 'back', slot: { at, round: round + 1 } };
  return { kind: at < last.at ? 'ahead' : 'known', slot: last };
};

/** Milliseconds to the next full minute: 1 to 60,000, whatever happens to the clock. */
export const untilNextMinute = (now: Date): number => minuteMs - (now.getTime() % minuteMs);
