/** When charging resumes after a pause: the queries take a date, the signed endpoint a time. */
import { z } from 'zod';
import { missingOrInvalid } from '#domain/fields/codes.ts';
import { addSeconds } from '#domain/time.ts';

const daySeconds = 86_400;
const defaultDays = 30;
/** The gateway accepts up to three years after the paid end. */
const maxDays = 3 * 365;

export const resumeTimeSchema = z
  .string('INVALID_FIELD')
  .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, 'INVALID_FIELD');

export const resumeDaySchema = z
  .string({ error: missingOrInvalid({}) })
  .regex(/^\d{4}-\d\d-\d\d$/, 'INVALID_FIELD');

const within = (at: Date, now: Date): Date | null =>
  Number.isNaN(at.getTime()) || at <= now || at > addSeconds(now, maxDays * daySeconds) ? null : at;

const exact = (text: string): Date => {
  const at = new Date(`${text.replace(' ', 'T')}Z`);
  // A day that does not exist would be taken for one of the next month.
  return Number.isNaN(at.getTime()) || !at.toISOString().startsWith(text.slice(0, 10)) ? new Date(NaN) : at;
};

/** `YYYY-MM-DD HH:MM:SS` in UTC, or 30 days from now; null for a time that is past, too far or does not exist. */
export const resumeTimeOf = (given: string | undefined, now: Date): Date | null =>
  given === undefined ? addSeconds(now, defaultDays * daySeconds) : within(exact(given), now);

/** The beginning of the day; null for one that is past, too far or does not exist. */
export const resumeDayOf = (given: string, now: Date): Date | null => within(exact(`${given} 00:00:00`), now);
