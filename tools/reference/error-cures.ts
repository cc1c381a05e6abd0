/** Remedies for each error code, by subject; causes are the messages in the declarations. */

interface CureGroup {
  title: string;
  /** Advice that applies to all of them. */
  about: string;
  cures: Readonly<Record<string, string>>;
}

const refresh = 'Read the list again: it was deleted, or belongs to someone else.';
const shown = 'Show the message next to the field.';

const fieldCodes = `
  DESCRIPTION_REQUIRED DESCRIPTION_TOO_LONG IDENT_TOO_LONG INVALID_AT INVALID_BASE64 INVALID_BASED_ON INVALID_CHECKLIST_FILE INVALID_CHECKLIST_ID
  INVALID_DATA_KEY INVALID_DOCUMENT INVALID_EMAIL INVALID_EXPIRY INVALID_ICAO INVALID_ID INVALID_IMAGE INVALID_INCLUDE
  INVALID_NAME INVALID_OFP_ID INVALID_PAYLOAD INVALID_PERMISSION INVALID_PLANNER_ID INVALID_PNG
  INVALID_PROFILE_DATA INVALID_PROMO_CODE INVALID_RANK INVALID_RATING INVALID_REASON INVALID_REGISTRATION
  INVALID_SEVERITY INVALID_SHARE_TARGET INVALID_SINCE INVALID_STRUCTURE INVALID_TIMESTAMP INVALID_URL
  INVALID_VERSION INVALID_WAYPOINTS INHERITANCE_TOO_DEEP MISSING_BASED_ON MISSING_CHECKLIST_ID MISSING_FILE
  MISSING_FILE_OR_URL MISSING_ICAO MISSING_IDENT MISSING_NAME MISSING_PAYLOAD MISSING_PLANNER_ID
  MISSING_VA_NAME PASSWORD_TOO_SHORT SCREENSHOT_REQUIRED UNSUPPORTED_TYPE`
  .trim()
  .split(/\s+/);

export const cureGroups: readonly CureGroup[] = [
  {
    title: 'Sign-in and keys',
    about: 'Sign in again once, then show the error: repeating does not help.',
    cures: {
      AUTH_REQUIRED: 'Call `login` and repeat with the new token.',
      INVALID_CREDENTIALS: 'Let the pilot enter them again, or offer `requestPasswordReset`.',
      INCORRECT_PASSWORD: 'Let the pilot enter the password again.',
      ACCOUNT_DISABLED: 'The pilot has to contact the operator.',
      AUTHORIZATION_PENDING: 'Poll again after `interval` seconds.',
      SLOW_DOWN: 'Poll less often: wait 5 seconds longer between two calls, after each `SLOW_DOWN`.',
      DEVICE_CODE_EXPIRED: 'Begin again with `deviceAuthorize`, and show the new code.',
      DEVICE_LOGIN_REFUSED: 'Say that the login was refused; begin again only when the pilot asks for it.',
      INVALID_DEVICE_CODE: 'Begin again with `deviceAuthorize`.',
      INVALID_USER_CODE: 'Let the pilot compare the code with the device, which may show a new one.',
      INVALID_DEV_KEY: 'Send a valid key, see [Authentication](authentication.md#developer-keys).',
      ACCESS_DENIED: 'Request a key with this permission from the operator.',
      MISSING_HEADER: 'Send the header that the message names.',
      INVALID_API_KEY: 'Use `apiKey` of the user object.',
      TIMESTAMP_OUT_OF_RANGE: 'Correct the clock of the client, and sign again.',
      INVALID_SIGNATURE:
        'Sign again; the parts and their order are on [the page about subscriptions](subscriptions.md#the-signed-endpoint).',
      CONFIRMATION_REQUIRED: 'Send a `confirmation_token`, from `subscriptionConfirmation`.',
      CONFIRMATION_INVALID: 'Create a new one for this action, subscription and user.',
      CONFIRMATION_EXPIRED: 'Create a new one.',
      INVALID_IDEMPOTENCY_KEY: 'Send a new UUID.',
      IDEMPOTENCY_KEY_REUSED: 'Send a new key for each new call, and the same body with the same key.',
      IDEMPOTENCY_KEY_IN_USE: 'Repeat the call with the same key and body after `Retry-After`.',
      DELETED_SINCE: 'Remove it from the device, or create it anew with a new clientId.',
      IDEMPOTENT_ANSWER_LOST: 'Read the state: the call was carried out.',
      CONFIRMATION_USED: 'Read the state: the action was accepted before.',
      INVALID_CONFIRMATION_TOKEN: 'Begin the deletion of the account again with the password.',
      INVALID_RESET_TOKEN: 'Request a new link with `requestPasswordReset`.',
      RESET_TOKEN_EXPIRED: 'Request a new link with `requestPasswordReset`.',
      HTTPS_REQUIRED: 'Call with https.',
    },
  },
  {
    title: 'The request',
    about: 'The request is invalid: correct it, do not repeat it unchanged.',
    cures: {
      MISSING_QUERY: 'Send `query` next to `data`.',
      UNKNOWN_QUERY: '`nearest` has similar names.',
      UNKNOWN_ACTION: '`nearest` has similar names.',
      INVALID_JSON: 'Send a JSON object, encoded in UTF-8.',
      JSON_TOO_DEEP: 'Send data of at most 64 levels, those of the call included.',
      METHOD_NOT_ALLOWED: 'Use POST; signed actions that read use GET.',
      UNSUPPORTED_MEDIA_TYPE: 'Send `content-type: application/json`, or a form for a file.',
      UNEXPECTED_FILE: 'Send this query as JSON.',
      INVALID_INPUT: '`details` has one line for each problem, beginning with the path of the field.',
      MISSING_FIELD: 'Send the field that the message names.',
      INVALID_FIELD: 'Correct the field that the message names; the reference has its values.',
    },
  },
  {
    title: 'Fields',
    about: `${shown} The message says what is accepted.`,
    cures: Object.fromEntries(fieldCodes.map((code) => [code, 'Correct the field.'])),
  },
  {
    title: 'What is not there',
    about: 'This pilot can see nothing with this name or id.',
    cures: {
      NOT_FOUND: refresh,
      AIRCRAFT_NOT_FOUND: 'Use `profile.file` of `allowedAircrafts`.',
      AIRCRAFT_INVALID:
        'The owner of the profile has to correct it; `details` of `fleetSave` list the problems.',
      AIRPORT_NOT_FOUND: 'Check the ICAO location indicator.',
      RUNWAY_NOT_FOUND: 'Use a runway id of the query `airport`.',
      RUNWAY_CLOSED: 'Choose another runway: a NOTAM closes this one.',
      PRODUCT_NOT_FOUND: 'Use a product that is on sale.',
      PLAN_NOT_AVAILABLE: 'Use another product.',
      OFP_NOT_FOUND: refresh,
      FLIGHT_DATA_NOT_FOUND: 'Nothing was saved under this key yet: start empty.',
      VERSION_NOT_FOUND: 'Read the history again; of older payloads only some are kept.',
      CALCULATION_NOT_FOUND: 'Read `performanceHistory` again; calculations are kept for 30 days.',
      SINCE_TOO_OLD: 'Sync without `since`, and replace all stored data.',
      FILE_NOT_FOUND: `${refresh} If the status is 500, report it with the log id.`,
      FOLDER_NOT_FOUND: refresh,
      UPLOAD_NOT_FOUND: 'Begin the upload again.',
      UPLOAD_DAMAGED: 'Begin the upload again.',
      UPLOAD_INCOMPLETE: 'Send the bytes from `offset` on, then repeat the call.',
      LOG_NOT_FOUND: 'Use `X-SVC-Log-Id` of a call that this pilot made in the last days.',
      SHARE_NOT_FOUND: 'Check the code; the sender may invite again.',
      SHARE_EXPIRED: 'Ask the sender for a new invitation.',
      SHARE_REVOKED: 'The sender may invite again.',
      SUBSCRIPTION_NOT_FOUND: refresh,
      MIGRATION_NOT_FOUND: 'Start a new migration.',
      PLANNER_USER_NOT_FOUND: 'Let the pilot correct the id or the alias.',
      NO_ROUTE: 'Import the plan with its navigation log, or send `waypoints`.',
      PLANNER_NO_PLAN: 'Generate a plan at SimBrief first.',
    },
  },
  {
    title: 'Rights and subscription',
    about: 'The call is valid, but not allowed for this pilot. Offer what would allow it.',
    cures: {
      FORBIDDEN: 'Hide the action for this pilot.',
      INSUFFICIENT_PERMISSION: 'The owner may share it for editing.',
      OWNER_DISABLED: 'Try again later; a plan that was accepted can be read.',
      SHARE_FORBIDDEN: 'Use the account that was invited.',
      READ_ONLY: 'Offer to copy it to the library of the pilot.',
      READ_ONLY_DEFAULT: 'Save a copy as a new checklist.',
      CANNOT_RATE_OWN: 'Hide the rating for it.',
      CANNOT_REPORT_OWN: 'Hide the report for it; take it out of the community instead.',
      NOT_SHARED: 'Hide rating and report for it.',
      NOT_VA_MEMBER: 'The airline has to add the pilot.',
      NO_VA_ASSIGNED: 'The operator has to assign an airline to the admin.',
      SETTINGS_LOCKED: 'The operator has to unlock them.',
      SUBSCRIPTION_READ_REQUIRED: 'Request a key with `subscription=READ` from the operator.',
      SUBSCRIPTION_FULL_REQUIRED: 'Request a key with `subscription=FULL` from the operator.',
      SUBSCRIPTION_LEVEL_REQUIRED: 'Offer a product of the level in `requiredLevel`.',
      AIRPORT_NOT_ALLOWED: 'Offer a subscription with all airports; `airport` names the one requested.',
      FEATURE_NOT_IN_SUBSCRIPTION: 'Leave out `field`, or offer a subscription with `feature`.',
      STORAGE_NOT_INCLUDED: 'Offer a subscription with storage.',
    },
  },
  {
    title: 'Conflicts and state',
    about: 'Something has changed, or is not in the state that the call needs. Read it again, then decide.',
    cures: {
      VERSION_CONFLICT:
        'Merge with `current` and save with its version, see [Flight data](flight-data.md#two-devices).',
      ALREADY_REPORTED: 'Thank the pilot: the operator has the report.',
      EMAIL_ALREADY_REGISTERED: 'Offer to sign in, or `requestPasswordReset`.',
      EMAIL_ALREADY_VERIFIED: 'Nothing to do: read `user.emailVerified` again.',
      REGISTRATION_TAKEN: 'Choose another registration, or delete that profile first.',
      PROFILE_IN_USE: 'Change or delete the other profiles first.',
      INVALID_STATE: 'Read the subscription again; `actions` says what is possible.',
      SAME_PLAN: 'Nothing to do.',
      ALREADY_SUBSCRIBED:
        'Show the subscription; repeat with `alsoIfActive: true` only if the pilot wants a second one.',
      RENEWAL_OFF: 'Switch the renewal on first (setAutoRenewal).',
      SUBSCRIPTION_RUNNING: 'Cancel the subscription first.',
      MIGRATION_NOT_ELIGIBLE: 'Show the reasons of the preview.',
      MIGRATION_PENDING: 'Complete or cancel it.',
      NOTHING_TO_REFUND: 'Read the payments again.',
      OPERATION_NOT_SUPPORTED: 'Open the page of the provider.',
      STORE_NOT_SUPPORTED: 'Open the page of the app store.',
      CHANGE_PLAN_UNAVAILABLE: 'Use the signed action `change_plan`.',
      PLAN_CHANGE_REFUSED: 'Show the message; nothing was changed.',
      GATEWAY_REFUSED: 'Show the message; nothing was changed.',
    },
  },
  {
    title: 'Limits and sizes',
    about:
      'If there is a `Retry-After` header, repeat after that many seconds; otherwise repeating does not help.',
    cures: {
      REQUEST_TIMEOUT: 'Send the body without pauses, on a better connection if need be.',
      TOO_MANY_WAITING: 'Use one waiting call per device; end the others first.',
      RATE_LIMITED: 'Wait as `Retry-After` says, then repeat.',
      PLANNER_RATE_LIMITED: 'Wait as `Retry-After` says, then repeat.',
      CALCULATION_LIMIT_REACHED:
        'Offer a larger subscription; the next calculation is available at `availableAt`.',
      PAYLOAD_TOO_LARGE: 'Send less; the message has the limit.',
      DOCUMENT_TOO_LARGE: 'Send it as a file, or a smaller one.',
      FILE_TOO_LARGE: 'Choose a smaller file.',
      CHECKLIST_FILE_TOO_LARGE: 'Choose a smaller file, or split it into two checklists.',
      SCREENSHOT_TOO_LARGE: 'Send a smaller picture.',
      STORAGE_QUOTA_EXCEEDED: 'Delete plans, checklists or profiles, or offer a larger subscription.',
      FLIGHT_DATA_DELETED: 'Ask the user, then save with ifDeleted: recreate.',
      CHECKLIST_DELETED: 'Ask the user, then save with ifDeleted: recreate.',
      PROFILE_DELETED: 'Ask the user, then save with ifDeleted: recreate.',
      FLIGHT_DATA_FULL: 'Delete plans, or keep more in one section.',
      PROGRESS_FULL: 'Show it; `reset` begins a checklist again.',
      CHECKLISTS_FULL:
        'Delete checklists, or offer a larger subscription; `checklistLimit` of `userStatistics` has the limit.',
      QUOTA_EXCEEDED: 'Delete files, or offer a subscription with more storage.',
      LIBRARY_FULL: 'Delete entries.',
      FOLDER_NOT_EMPTY: 'Show what is in the folder, and ask the user.',
      TOO_MANY_UPLOADS: 'Finish one; unfinished uploads are deleted after a day.',
      FLEET_FULL: 'Delete profiles.',
      OFP_LIMIT_REACHED: 'Delete old plans.',
      TOO_MANY_ICAO: 'Ask for 40 airports at a time.',
      TOO_MANY_WAYPOINTS: 'Split the route.',
    },
  },
  {
    title: 'The service',
    about:
      'This is not the fault of the client. Repeat with growing pauses, and keep the input of the pilot.',
    cures: {
      SERVICE_UNAVAILABLE: 'Repeat after `Retry-After`.',
      OUTCOME_UNKNOWN: 'Read the state before repeating: the change may have been made.',
      PLANNER_UNAVAILABLE: 'Repeat later, or import a document.',
      DB_ERROR: 'Repeat once, then report the log id.',
      FS_ERROR: 'Repeat once, then report the log id.',
      FS_WRITE_ERROR: 'Repeat once, then report the log id.',
      INTERNAL_ERROR: 'Report `X-SVC-Log-Id` with `reportQuery`.',
    },
  },
];
