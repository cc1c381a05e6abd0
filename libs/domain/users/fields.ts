/** Fields of accounts as clients send them. A message is an error code; the dispatcher fills in the field's name. */
import { z } from 'zod';

/** All ranks of the specification, highest first. */
export const ranks = ['LTC', 'CAPT', 'FO', 'JFO'] as const;
export type Rank = (typeof ranks)[number];

/** Ranks that a new account may start with. */
export const registerRanks = ['CAPT', 'FO', 'LTC'] as const;

const isAbsent = (input: unknown): boolean => input === undefined || input === null || input === '';

const missingOrInvalid = ({ input }: { input?: unknown }) =>
  isAbsent(input) ? 'MISSING_FIELD' : 'INVALID_FIELD';

/** Length as people count it: a letter outside the basic plane is one (M-8.12). */
export const lengthOf = (text: string): number => Array.from(text).length;

/** Required text of at most `max` characters, trimmed. MISSING_FIELD or INVALID_FIELD. */
export const requiredText = (max: number) =>
  z
    .string({ error: missingOrInvalid })
    .trim()
    .min(1, 'MISSING_FIELD')
    .refine((text) => lengthOf(text) <= max, 'INVALID_FIELD');

/** Optional text of at most `max` characters, trimmed; null and '' mean absent. */
export const optionalText = (max: number) =>
  z
    .string('INVALID_FIELD')
    .trim()
    .refine((text) => lengthOf(text) <= max, 'INVALID_FIELD')
    .nullish();

export const emailField = requiredText(254).pipe(z.email('INVALID_EMAIL'));

const passwordTextSchema = z.string({ error: missingOrInvalid }).min(1, 'MISSING_FIELD');

/** A new password: 6 characters or more, any of them; never trimmed nor cut. The upper bound protects the hasher. */
export const newPasswordSchema = passwordTextSchema
  .refine((text) => lengthOf(text) >= 6, 'PASSWORD_TOO_SHORT')
  .refine((text) => text.length <= 1_024, 'INVALID_FIELD');

/** A password to check. No rule of today may refuse one that was accepted before. */
export const passwordSchema = passwordTextSchema.refine((text) => text.length <= 1_024, 'INVALID_FIELD');

/** PIN of 4 to 6 digits that signs exported data (M-4.6.q1g, M-8.12). */
export const pinSchema = z
  .union([z.string(), z.int().nonnegative().transform(String)], 'INVALID_FIELD')
  .refine((pin) => /^\d{4,6}$/.test(pin), 'INVALID_FIELD');
