/** The mail to the operator with a user's feedback. */
import { redact, redacted } from '#platform/redaction/redact.ts';
import type { FeedbackInput } from '#domain/feedback/feedback.ts';
import type { Caller, DeveloperKey } from '#domain/users/types.ts';
import { wireTime } from '#domain/time.ts';

type Feedback = Omit<FeedbackInput, 'screenshotPng'>;

interface Sent {
  id: string;
  caller: Caller;
  key: DeveloperKey | null;
  at: Date;
}

const secretName = /^(?:x-)?(?:api|dev)[-_ ]?key$|passw|token/i;

/** As sent, except for secrets by name (M-5.8). */
const extrasText = (extras: Feedback['extras']): string =>
  JSON.stringify(
    extras,
    (name, value: unknown) => (secretName.test(name) && value !== null ? redacted : value),
    2,
  );

/** Subject and text. The API key never appears, wherever the client has put it (M-4.9.q1f). */
export const feedbackMail = (
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
