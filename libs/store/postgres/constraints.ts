/** Error codes for violated constraints: the only mapping from constraint names to error codes. */
import { DomainError } from '#domain/errors.ts';

type Violation = readonly [code: string, message: string];

/** A call of a user whose account is being deleted. */
const accountGone: Violation = ['AUTH_REQUIRED', 'The account has been deleted.'];

/** Foreign keys to accounts. */
export const accountKey = /_(?:user_id|owner_id|recipient_id|created_by|updated_by|changed_by)_fkey$/;

/** By the name of the constraint or unique index in `db/migrations`. */
export const violations: Readonly<Record<string, Violation>> = {
  app_user_email: ['EMAIL_ALREADY_REGISTERED', 'There is already an account for this email address.'],
  subscription_reference: [
    'SUBSCRIPTION_EXISTS',
    'There is already a subscription with this gateway reference.',
  ],
  migration_intent_pending: [
    'MIGRATION_PENDING',
    'A migration is already pending. Complete or cancel it first.',
  ],
  product_pkey: ['PRODUCT_EXISTS', 'There is already a product with this code.'],
  promo_code_pkey: ['PROMO_EXISTS', 'There is already a promo code with this name.'],
  virtual_airline_name: ['VA_EXISTS', 'There is already a virtual airline with this name.'],
  checklist_va_id_fkey: ['NOT_FOUND', 'The virtual airline has been deleted.'],
  flight_data_ofp_id_fkey: ['OFP_NOT_FOUND', 'The flight plan has been deleted.'],
};

/** Class 23 of SQLSTATE: unique, foreign-key, check and exclusion violations. */
const isViolation = (error: unknown): error is Error & { constraint: string } =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  error.code.startsWith('23') &&
  'constraint' in error &&
  typeof error.constraint === 'string';

/** The DomainError of a violation in the table; any other error unchanged. */
export const translated = (error: unknown): unknown => {
  if (!isViolation(error)) return error;
  const violation =
    violations[error.constraint] ?? (accountKey.test(error.constraint) ? accountGone : undefined);
  if (!violation) return error;
  const [code, message] = violation;
  return Object.assign(new DomainError(code, {}, message), { cause: error });
};
