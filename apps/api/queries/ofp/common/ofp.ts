import { ofpAccessRepo } from '#store/postgres/ofp/access.ts';
import type { OfpAccess, OfpCall } from '#store/postgres/ofp/access.ts';
import type { ReadDb } from '#store/postgres/sql.ts';
import { DomainError } from '#domain/errors.ts';
import type { ErrorTable } from '../../../errors.ts';
import { storageErrors } from '../../users/common/users.ts';

// Errors of shares (M-7.s).

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

/** Errors of changes to the plan itself. */
export const ofpOwnerErrors = {
  INSUFFICIENT_PERMISSION: { status: 403, message: 'Only its owner may change or delete this flight plan.' },
} as const satisfies ErrorTable;

/** Errors of changes to data that belong to a plan. */
export const ofpRightErrors = {
  ...ownerErrors,
  INSUFFICIENT_PERMISSION: { status: 403, message: 'This flight plan is shared with you for viewing only.' },
} as const satisfies ErrorTable;

export const ofpErrors = {
  INVALID_OFP_ID: {
    status: 400,
    message: 'ofpId must have 1 to 64 characters of A-Z, a-z, 0-9, ".", "_" and "-".',
  },
  OFP_NOT_FOUND: { status: 404, message: 'There is no such plan.' },
} as const satisfies ErrorTable;

/** Errors of queries that need the whole route of a plan. */
export const flightErrors = {
  ...ofpErrors,
  INVALID_FIELD: 400,
  NO_ROUTE: { status: 422, message: 'The plan does not have the codes and positions of its aerodromes.' },
} as const satisfies ErrorTable;

export const ofpImportErrors = {
  ...ofpErrors,
  ...ofpOwnerErrors,
  INVALID_FIELD: 400,
  MISSING_PLANNER_ID: {
    status: 400,
    message: 'Send plannerUserId or plannerUsername, or set planner.plannerUserId in your preferences.',
  },
  INVALID_PLANNER_ID: {
    status: 400,
    message: 'plannerUserId must have 1 to 7 digits; an alias at SimBrief is sent as plannerUsername.',
  },
  INVALID_DOCUMENT: { status: 400, message: 'The document is not a flight plan.' },
  DOCUMENT_TOO_LARGE: {
    status: 413,
    message: 'A document may have at most 8 MB as a file and 4 MB in JSON.',
  },
  UNSUPPORTED_TYPE: { status: 415, message: 'The document must be JSON or XML.' },
  PLANNER_USER_NOT_FOUND: { status: 404, message: 'SimBrief does not know this user.' },
  PLANNER_NO_PLAN: { status: 404, message: 'SimBrief has no plan of this user.' },
  PLANNER_UNAVAILABLE: {
    status: 502,
    message: 'SimBrief did not answer with a plan. Your stored plans are unchanged.',
  },
  PLANNER_RATE_LIMITED: { status: 429, message: 'A plan can be fetched from SimBrief every 10 seconds.' },
  ...storageErrors,
  OFP_LIMIT_REACHED: { status: 409, message: 'You have 200 plans, which is the maximum. Delete one first.' },
} as const satisfies ErrorTable;

/** The rows read for a plan. Throws OFP_NOT_FOUND if there are none, as for a caller without access. */
export const readable = <T extends object>(found: T | null): T => {
  if (!found) throw new DomainError('OFP_NOT_FOUND');
  return found;
};

/** The owner, and the caller's right. Throws OFP_NOT_FOUND without access. */
export const readableOfp = async (db: ReadDb, call: OfpCall): Promise<OfpAccess> =>
  readable(await ofpAccessRepo(db).of(call));

/** For changes to the plan itself. Throws OFP_NOT_FOUND without access, INSUFFICIENT_PERMISSION for a recipient. */
export const ownOfp = async (db: ReadDb, call: OfpCall): Promise<void> => {
  const access = await readableOfp(db, call);
  if (access.right !== 'owner') throw new DomainError('INSUFFICIENT_PERMISSION');
};

/** For changes to data of the plan. Also throws INSUFFICIENT_PERMISSION and OWNER_DISABLED. */
export const writableOfp = async (db: ReadDb, call: OfpCall): Promise<OfpAccess> => {
  const access = await readableOfp(db, call);
  if (access.right !== 'owner' && access.isOwnerDisabled) throw new DomainError('OWNER_DISABLED');
  if (access.right === 'view') throw new DomainError('INSUFFICIENT_PERMISSION');
  return access;
};
