/** Feedback of users, which is mailed to the operator (M-4.9.q1). */
import { z } from 'zod';
import { idField, missingOrInvalid } from '../fields/index.ts';

/** A screenshot of 2 MB as base64, and room for one that is too large, which gets its own message. */
export const maxFeedbackBytes = 4_350_000;

const maxDescription = 4_000;
const maxFact = 500;
const maxExtrasBytes = 1_048_576;

const descriptionError = missingOrInvalid({
  missing: 'DESCRIPTION_REQUIRED',
  invalid: 'DESCRIPTION_REQUIRED',
});
const screenshotError = missingOrInvalid({ missing: 'SCREENSHOT_REQUIRED', invalid: 'INVALID_BASE64' });

/** The first `max` characters; a letter outside the basic plane is one. */
const firstCharacters = (text: string, max: number): string =>
  Array.from(text.slice(0, 2 * max))
    .slice(0, max)
    .join('');

/** One line; a longer one is truncated, because no feedback should fail for it. */
const factField = () =>
  z
    .string('INVALID_FIELD')
    .max(maxFeedbackBytes, 'INVALID_FIELD')
    .transform((text) => firstCharacters(text.replaceAll(/\s+/g, ' ').trim(), maxFact) || null)
    .nullish();

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

export const feedbackInputSchema = z.strictObject({
  description: z
    .string({ error: descriptionError })
    .max(maxFeedbackBytes, 'DESCRIPTION_REQUIRED')
    .trim()
    .min(1, 'DESCRIPTION_REQUIRED')
    .transform((text) => firstCharacters(text, maxDescription)),
  screenshotPng: z
    .string({ error: screenshotError })
    .min(1, 'SCREENSHOT_REQUIRED')
    .max(maxFeedbackBytes, 'SCREENSHOT_TOO_LARGE'),
  appVersion: factField(),
  serverApiVersion: factField(),
  deviceOs: factField(),
  deviceModel: factField(),
  route: factField(),
  logId: idField({ max: Number.MAX_SAFE_INTEGER }).nullish(),
  extras: z
    .record(z.string(), z.unknown(), 'INVALID_FIELD')
    .refine((extras) => bytesOf(extras) <= maxExtrasBytes, 'INVALID_FIELD')
    .meta({ maxBytes: maxExtrasBytes })
    .nullish(),
});
export type FeedbackInput = z.output<typeof feedbackInputSchema>;
