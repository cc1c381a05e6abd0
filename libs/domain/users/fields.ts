/** Account fields; shared ones are in `../fields`. Messages are error codes. */
import { z } from 'zod';
import { lengthOf, missingOrInvalid } from '../fields/index.ts';

/** All ranks in the specification, highest first. */
export const ranks = ['LTC', 'CAPT', 'FO', 'JFO'] as const;
export type Rank = (typeof ranks)[number];

/** Ranks that a new account may start with. */
export const registerRanks = ['CAPT', 'FO', 'LTC'] as const;

const invalid = 'INVALID_FIELD';
const maxPasswordUnits = 1_024;

const passwordTextSchema = z
  .string({ error: missingOrInvalid({}) })
  .min(1, { error: 'MISSING_FIELD', abort: true })
  .max(maxPasswordUnits, invalid);

/** A new password of at least 6 characters, neither trimmed nor truncated. The upper bound protects the hasher. */
export const newPasswordSchema = passwordTextSchema
  .refine((text) => lengthOf(text) >= 6, 'PASSWORD_TOO_SHORT')
  .meta({ minLength: 6 });

/** A password to verify. Today's rules must not refuse one that was accepted earlier. */
export const passwordSchema = passwordTextSchema;

/** PIN of 4 to 6 digits that signs exported data (M-4.6.q1g, M-8.12). */
export const pinSchema = z
  .union([z.string(invalid), z.int(invalid)], invalid)
  .transform(String)
  .refine((pin) => /^\d{4,6}$/.test(pin), {
    error: invalid,
    params: { problem: 'must have 4 to 6 digits' },
  })
  .meta({
    anyOf: [
      { type: 'string', pattern: '^\\d{4,6}$' },
      { type: 'integer', minimum: 1_000, maximum: 999_999 },
    ],
  });
