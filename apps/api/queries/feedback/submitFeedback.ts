import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { queueMail } from '#commands/mail.ts';
import { png } from '#data/content/pictures.ts';
import { reasonOf, sourceInMemory } from '#data/content/source.ts';
import { DomainError } from '#domain/errors.ts';
import { feedbackInputSchema, maxFeedbackBytes } from '#domain/feedback/feedback.ts';
import type { FeedbackInput } from '#domain/feedback/feedback.ts';
import { wireTime } from '#domain/time.ts';
import type { Caller, DeveloperKey } from '#domain/users/types.ts';
import { redact, redacted } from '#platform/redaction/redact.ts';
import { defineQuery } from '../../define.ts';

// The mail to the operator with a user's feedback.

type Feedback = Omit<FeedbackInput, 'screenshotPng'>;

interface Sent {
  id: string;
  caller: Caller;
  key: DeveloperKey | null;
  at: Date;
}

const secretName = /^(?:x-)?(?:api|dev)[-_ ]?key$|passw|token/i;

/** As sent, with secrets redacted by name (M-5.8). */
const extrasText = (extras: Feedback['extras']): string =>
  JSON.stringify(
    extras,
    (name, value: unknown) => (secretName.test(name) && value !== null ? redacted : value),
    2,
  );

/** Subject and text. The API key never appears, wherever the client placed it (M-4.9.q1f). */
const feedbackMail = (
  { description, extras, ...facts }: Feedback,
  { id, caller, key, at }: Sent,
): { subject: string; text: string } => {
  const lines = [
    `Feedback ${id}`,
    '',
    `User: ${caller.email} (${caller.userId})`,
    `Developer key: ${key?.name ?? '-'}`,
    `Time: ${wireTime(at)} UTC`,
    ...Object.entries(facts).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [`${name}: ${value}`],
    ),
    '',
    description,
    ...(extras ? ['', 'extras:', extrasText(extras)] : []),
    '',
  ];
  const text = redact(lines.join('\n')).replaceAll(caller.apiKey(), redacted);
  return { subject: `Feedback ${id}`, text };
};

/** 2 MB, decoded (M-8.20). */
const maxScreenshotBytes = 2_097_152;

const dataUrl = /^data:image\/png;base64,/i;
const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Accepts line breaks, indentation and missing padding. */
const decoded = (base64: string): Buffer | null => {
  const text = base64.replaceAll(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  return text.replace(/=+$/, '').length % 4 === 1 ? null : Buffer.from(text, 'base64');
};

/** The image. Throws SCREENSHOT_REQUIRED, INVALID_BASE64, SCREENSHOT_TOO_LARGE and INVALID_PNG. */
const readScreenshot = async (given: string): Promise<Buffer> => {
  const base64 = given.trim().replace(dataUrl, '');
  if (base64.trim() === '') throw new DomainError('SCREENSHOT_REQUIRED');
  const bytes = decoded(base64);
  if (!bytes) throw new DomainError('INVALID_BASE64');
  if (bytes.length > maxScreenshotBytes) throw new DomainError('SCREENSHOT_TOO_LARGE');
  if (!bytes.subarray(0, signature.length).equals(signature)) throw new DomainError('INVALID_PNG');
  const isPng = await png(sourceInMemory(bytes)).then(Boolean, (error) => !reasonOf(error));
  if (!isPng) throw new DomainError('INVALID_PNG');
  return bytes;
};

/** The error for a large screenshot, and for a large body, since only a screenshot can make it that large. */
const tooLarge = 'Screenshot too large (max 2 MB decoded).';

export default defineQuery({
  name: 'submitFeedback',
  spec: ['2.12', '4.9', '5', '7', '8'],
  summary: 'Mails feedback with a screenshot to the operator; it is not stored.',
  auth: { apiKey: 'api_key' },
  devKey: { inCall: 'any' },
  limits: [{ name: 'feedback', points: 5, perSeconds: 3600, by: 'user', isFixed: true, counts: 'successes' }],
  maxBodyBytes: maxFeedbackBytes,
  isBodyLogged: false,
  dialect: 'feedback',
  errors: {
    AUTH_REQUIRED: { status: 401, message: 'Authentication required to submit feedback.' },
    INVALID_DEV_KEY: 401,
    ACCESS_DENIED: { status: 403, message: 'The developer key is missing: send it as dev_key.' },
    DESCRIPTION_REQUIRED: { status: 400, message: 'Description is required.' },
    SCREENSHOT_REQUIRED: { status: 400, message: 'Screenshot (screenshotPng) is required.' },
    INVALID_BASE64: { status: 400, message: 'Screenshot is not valid base64.' },
    SCREENSHOT_TOO_LARGE: { status: 413, message: tooLarge },
    PAYLOAD_TOO_LARGE: { status: 413, message: tooLarge },
    INVALID_PNG: { status: 400, message: 'Screenshot must be a valid PNG image.' },
    INVALID_FIELD: 400,
    RATE_LIMITED: {
      status: 429,
      message: 'Rate limit exceeded. Please wait before submitting more feedback.',
    },
  },
  input: feedbackInputSchema,
  output: z.strictObject({ FeedbackId: z.string() }),
  tx: 'write',
  example: {
    description: 'The map does not turn.',
    screenshotPng:
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
    appVersion: '4.2.0',
    route: '/map',
  },
  handler: async ({ input: { screenshotPng, ...feedback }, caller, key, db, jobs, config, now }) => {
    const screenshot = await readScreenshot(screenshotPng);
    const id = `FB-${randomBytes(5).toString('hex').toUpperCase()}`;
    await queueMail(
      db,
      { jobs },
      {
        ...feedbackMail(feedback, { id, caller, key, at: now }),
        to: config.OPERATOR_EMAIL,
        key: `feedback:${id}`,
        attachments: [{ filename: `${id}.png`, content: screenshot, contentType: 'image/png' }],
        createdAt: now,
        secret: true,
      },
    );
    return { FeedbackId: id };
  },
});
