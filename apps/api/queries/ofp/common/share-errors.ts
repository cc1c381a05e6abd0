/** Errors of shares (M-7.s). */
import type { ErrorTable } from '../../../errors.ts';

const ownerErrors = {
  OWNER_DISABLED: {
    status: 403,
    message:
      'The account of the owner is disabled. Until it is enabled again, the plan can only be read, and invitations wait.',
  },
} as const satisfies ErrorTable;

export const redeemErrors = {
  ...ownerErrors,
  INVALID_SHARE_TARGET: { status: 400, message: 'A flight plan cannot be shared with its owner.' },
  SHARE_NOT_FOUND: { status: 404, message: 'There is no such invitation.' },
  SHARE_REVOKED: { status: 410, message: 'This invitation has been revoked.' },
  SHARE_EXPIRED: { status: 410, message: 'This invitation has expired.' },
  SHARE_FORBIDDEN: { status: 403, message: 'This invitation belongs to another account.' },
} as const satisfies ErrorTable;

/** Of changes to the plan itself. */
export const ofpOwnerErrors = {
  INSUFFICIENT_PERMISSION: { status: 403, message: 'Only its owner may change or delete this flight plan.' },
} as const satisfies ErrorTable;

/** Of changes to what belongs to a plan. */
export const ofpRightErrors = {
  ...ownerErrors,
  INSUFFICIENT_PERMISSION: { status: 403, message: 'This flight plan is shared with you for viewing only.' },
} as const satisfies ErrorTable;
