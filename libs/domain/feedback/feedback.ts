/** User feedback, which is mailed to the operator (M-4.9.q1). */
import { z } from 'zod';
import { idField, missingOrInvalid } from '../fields/index.ts';

/** A 2 MB screenshot as base64, and room for a larger one, which gets its own error. */
export const maxFeedbackBytes = 4_350_000;

const maxDescription = 4_000;
const maxFact = 500;
const maxExtrasBytes = 1_048_576;

const descriptionError = missingOrInvalid({
  missing: 'DESCRIPTION_REQUIRED',
  invalid: 'DESCRIPTION_REQUIRED',
});
const screenshotError = missingOrInvalid({ missing: 'SCREENSHOT_REQUIRED', invalid: 'INVALID_BASE64' });

/** The first `max` characters; a letter outside the basic plane counts as one. */
const firstCharacters = (text: string, max: number): string =>
  Array.from(text.slice(0, 2 * max))
    .slice(0, max)
    .join('');

/** One line, truncated so that no feedback fails because of it. */
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
