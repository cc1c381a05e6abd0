/** What a violated constraint means to a client: the only place where names of constraints become error codes. */
import { DomainError } from '#domain/errors.ts';

interface Violation {
  code: string;
  message: string;
}

/** By the name of the constraint or unique index in `db/migrations`. */
export const violations: ReadonlyMap<string, Violation> = new Map([
  [
    'app_user_email',
    {
      code: 'EMAIL_ALREADY_REGISTERED',
      message: 'There is already an account for this email address.',
    },
  ],
  [
    'subscription_reference',
    {
      code: 'SUBSCRIPTION_EXISTS',
      message: 'There is already a subscription with this reference of the gateway.',
    },
  ],
  [
    'virtual_airline_name',
    { code: 'VA_EXISTS', message: 'There is already a virtual airline of this name.' },
  ],
]);

/** Class 23 of SQLSTATE: unique, foreign-key, check and exclusion violations. */
const isViolation = (error: unknown): error is Error & { constraint: string } =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  error.code.startsWith('23') &&
  'constraint' in error &&
  typeof error.constraint === 'string';

/** The DomainError of a violation that the table names; any other error as it is. */
export const translated = (error: unknown): unknown => {
  const violation = isViolation(error) ? violations.get(error.constraint) : undefined;
  if (!violation) return error;
  const { code, message } = violation;
  return Object.assign(new DomainError(code, {}, message), { cause: error });
};
