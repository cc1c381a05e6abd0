/** Meaning of violated constraints for clients: the only mapping from constraint names to error codes. */
import { DomainError } from '#domain/errors.ts';

interface Violation {
  code: string;
  message: string;
}

/** A call of a user whose account is deleted at the same moment. */
const accountGone: Violation = { code: 'AUTH_REQUIRED', message: 'The account has been deleted.' };

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
      message: 'There is already a subscription with this gateway reference.',
    },
  ],
  [
    'migration_intent_pending',
    {
      code: 'MIGRATION_PENDING',
      message: 'A migration is already pending. Complete or cancel it first.',
    },
  ],
  ['product_pkey', { code: 'PRODUCT_EXISTS', message: 'There is already a product with this code.' }],
  ['promo_code_pkey', { code: 'PROMO_EXISTS', message: 'There is already a promo code with this name.' }],
  [
    'virtual_airline_name',
    { code: 'VA_EXISTS', message: 'There is already a virtual airline with this name.' },
  ],
  ['account_deletion_user_id_fkey', accountGone],
  ['announcement_ack_user_id_fkey', accountGone],
  ['calculation_user_id_fkey', accountGone],
  ['client_id_user_id_fkey', accountGone],
  ['gateway_event_user_id_fkey', accountGone],
  ['idempotency_key_user_id_fkey', accountGone],
  ['migration_intent_user_id_fkey', accountGone],
  ['payment_user_id_fkey', accountGone],
  ['checklist_user_id_fkey', accountGone],
  ['checklist_rating_user_id_fkey', accountGone],
  ['checklist_report_user_id_fkey', accountGone],
  ['checklist_va_id_fkey', { code: 'NOT_FOUND', message: 'The virtual airline has been deleted.' }],
  ['ofp_user_id_fkey', accountGone],
  ['ofp_fetch_user_id_fkey', accountGone],
  ['fleet_profile_user_id_fkey', accountGone],
  ['flight_data_owner_id_fkey', accountGone],
  ['flight_data_created_by_fkey', accountGone],
  ['flight_data_updated_by_fkey', accountGone],
  ['flight_data_change_changed_by_fkey', accountGone],
  ['flight_data_ofp_id_fkey', { code: 'OFP_NOT_FOUND', message: 'The flight plan has been deleted.' }],
  ['ofp_share_owner_id_fkey', accountGone],
  ['email_proof_user_id_fkey', accountGone],
  ['ofp_share_recipient_id_fkey', accountGone],
  ['user_session_user_id_fkey', accountGone],
  ['former_usage_user_id_fkey', accountGone],
  ['library_space_user_id_fkey', accountGone],
  ['library_view_user_id_fkey', accountGone],
  ['print_user_id_fkey', accountGone],
  ['problem_report_user_id_fkey', accountGone],
  ['used_confirmation_user_id_fkey', accountGone],
  ['resumable_upload_user_id_fkey', accountGone],
  ['webhook_delivery_user_id_fkey', accountGone],
  ['device_login_user_id_fkey', accountGone],
  ['developer_key_owner_id_fkey', accountGone],
  ['developer_session_user_id_fkey', accountGone],
  ['crew_presence_user_id_fkey', accountGone],
]);

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
  const violation = isViolation(error) ? violations.get(error.constraint) : undefined;
  if (!violation) return error;
  const { code, message } = violation;
  return Object.assign(new DomainError(code, {}, message), { cause: error });
};
