/** The time that a situation is of: an arrival or departure to come, else now. */
import { z } from 'zod';

const maxTimeText = 40;

export const situationTimeField = (invalid: string) =>
  z.iso
    .datetime({ offset: true, error: () => invalid })
    .max(maxTimeText, invalid)
    .nullish()
    .describe('time for which NOTAM count, ISO 8601; now when absent or in the past');

/** A time in the past counts as now: what is in force today must not be missed. */
export const situationTime = (at: string | null | undefined, now: Date): Date => {
  const asked = at === null || at === undefined ? now : new Date(at);
  return asked > now ? asked : now;
};
