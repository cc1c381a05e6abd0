/** Errors of what an account is made of. */
import type { ErrorTable } from '../../../errors.ts';

export const emailErrors = {
  MISSING_FIELD: 400,
  INVALID_FIELD: 400,
  INVALID_EMAIL: { status: 400, message: 'This is not an email address.' },
} as const satisfies ErrorTable;

export const emailTaken = {
  EMAIL_ALREADY_REGISTERED: { status: 409, message: 'There is already an account for this email address.' },
} as const satisfies ErrorTable;
