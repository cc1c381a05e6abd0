import { z } from 'zod';
import { missingOrInvalid } from '#domain/fields/codes.ts';
import { idField } from '#domain/fields/index.ts';
import { addSeconds, daySeconds } from '#domain/time.ts';
import { defineAction } from '../../define-action.ts';
import { defineQuery } from '../../define.ts';
import { stateChangeLimit } from '../../limits.ts';
import {
  changeErrors,
  changeNow,
  queryChange,
  queryChangeSchema,
  signedChange,
  signedChangeSchema,
} from './common/subscriptions.ts';

const defaultDays = 30;
/** The gateway's maximum, counted from the paid end. */
const maxDays = 3 * 365;

const timeSchema = z.string('INVALID_FIELD').regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, 'INVALID_FIELD');

const daySchema = z.string({ error: missingOrInvalid({}) }).regex(/^\d{4}-\d\d-\d\d$/, 'INVALID_FIELD');

const within = (at: Date, now: Date): Date | null =>
  Number.isNaN(at.getTime()) || at <= now || at > addSeconds(now, maxDays * daySeconds) ? null : at;

const exact = (text: string): Date => {
  const at = new Date(`${text.replace(' ', 'T')}Z`);
  // Date rolls a nonexistent day over into the next month.
  return Number.isNaN(at.getTime()) || !at.toISOString().startsWith(text.slice(0, 10)) ? new Date(NaN) : at;
};

const pause = {
  spec: ['3', '4.8'],
  errors: changeErrors,
  // The gateway is called after the commit.
  tx: 'manual',
} as const;

/** Takes the day when charging resumes. */
export default defineQuery({
  name: 'pauseSubscription',
  ...pause,
  summary: 'Pauses the renewal until a date; access lasts until the end of the paid period.',
  devKey: { subscription: 'FULL' },
  limits: [stateChangeLimit],
  input: z.strictObject({ subscriptionId: idField(), resumeDate: daySchema }),
  output: queryChangeSchema,
  example: { subscriptionId: 1, resumeDate: '2030-01-31' },
  handler: async (ctx) => {
    const { subscriptionId: id, resumeDate } = ctx.input;
    const resumeAt = within(exact(`${resumeDate} 00:00:00`), ctx.now);
    if (resumeAt === null) throw ctx.fail('INVALID_FIELD', { field: 'resumeDate' });
    return queryChange(await changeNow(ctx, { id, verb: 'pause', resumeAt }));
  },
});

/** Takes a time instead of a day. */
export const action = defineAction({
  name: 'pause_subscription',
  ...pause,
  summary:
    'Pauses the renewal; access lasts until the end of the paid period. Charging resumes at `resume_date`.',
  changesState: true,
  input: z.strictObject({ subscription_id: idField(), resume_date: timeSchema.optional() }),
  output: signedChangeSchema,
  handler: async (ctx) => {
    const { subscription_id: id, resume_date: given } = ctx.input;
    const preset = addSeconds(ctx.now, defaultDays * daySeconds);
    const resumeAt = given === undefined ? preset : within(exact(given), ctx.now);
    if (resumeAt === null) throw ctx.fail('INVALID_FIELD', { field: 'resume_date' });
    return signedChange(await changeNow(ctx, { id, verb: 'pause', resumeAt }));
  },
});
