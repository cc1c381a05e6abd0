import { addSeconds } from '../time.ts';
import type { Notam } from './types.ts';

/** An estimated end is not final, but a NOTAM is not used for longer than this after it. */
const estimatedEndDays = 32;

/** True when a NOTAM that is not cancelled has begun and is not over at `now`, ignoring schedules. */
export const isValidAt = (
  { type, fromUtc, toUtc, isEstimated }: Pick<Notam, 'type' | 'fromUtc' | 'toUtc' | 'isEstimated'>,
  now: Date,
): boolean => {
  if (type === 'C' || Date.parse(fromUtc) > now.getTime()) return false;
  if (toUtc === null) return true;
  const end = isEstimated
    ? addSeconds(new Date(toUtc), estimatedEndDays * 86_400).getTime()
    : Date.parse(toUtc);
  return end > now.getTime();
};
