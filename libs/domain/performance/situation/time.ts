/** The time of a situation: a coming arrival or departure, else now. */
import { z } from 'zod';

const maxTimeText = 40;

export const situationTimeField = (invalid: string) =>
  z.iso
    .datetime({ offset: true, error: () => invalid })
    .max(maxTimeText, invalid)
    .nullish()
    .describe('time of use, ISO 8601: NOTAM in force at this time are applied; now if absent or in the past');

/** A past time counts as now, so that nothing in force today is missed. */
export const situationTime = (at: string | null | undefined, now: Date): Date => {
  const asked = at === null || at === undefined ? now : new Date(at);
  return asked > now ? asked : now;
};
