import { addSeconds, minuteMs } from '../time.ts';

/** One time of a schedule. The same time has a higher round when it is reached again after the clock went back. */
export interface Slot {
  at: Date;
  round: number;
}

/** Part of a dedupe key: the same for every process that reaches the slot, different for every round. */
export const slotKey = ({ at, round }: Slot): string =>
  round === 0 ? at.toISOString() : `${at.toISOString()}#${round}`;

/** A last slot that is this far in the future belongs to a clock that has gone back; less is the skew of two hosts. */
const skewSeconds = 60;

type ClaimKind =
  /** The slot is new: its work is to be enqueued. */
  | 'due'
  /** Another look, perhaps of another process, has enqueued it. */
  | 'known'
  /** The schedule has never been looked at; what it missed before is not its concern. */
  | 'first'
  /** The clock has gone back: the schedule goes on from the present time. */
  | 'back'
  /** Another host's clock is slightly ahead and it has enqueued a later slot. */
  | 'ahead';

export interface Claim {
  kind: ClaimKind;
  slot: Slot;
}

/** What a look at the clock means for a schedule whose last slot is known; `at` is its slot at `now`. */
export const claimOf = (last: Slot | null, at: Date, now: Date): Claim => {
  if (last === null) return { kind: 'first', slot: { at, round: 0 } };
  const { round } = last;
  if (at > last.at) return { kind: 'due', slot: { at, round } };
  if (last.at > addSeconds(now, skewSeconds)) return { kind: 'back', slot: { at, round: round + 1 } };
  return { kind: at < last.at ? 'ahead' : 'known', slot: last };
};

/** Milliseconds until the next full minute: from 1 to 60,000, whatever has happened to the clock. */
export const untilNextMinute = (now: Date): number => minuteMs - (now.getTime() % minuteMs);
