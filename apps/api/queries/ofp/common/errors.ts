import type { ErrorTable } from '../../../errors.ts';
import { ofpOwnerErrors } from './share-errors.ts';
import { storageErrors } from '../../users/common/storage.ts';

export const ofpErrors = {
  INVALID_OFP_ID: {
    status: 400,
    message: 'ofpId must have 1 to 64 characters of A-Z, a-z, 0-9, ".", "_" and "-".',
  },
  OFP_NOT_FOUND: { status: 404, message: 'There is no such plan.' },
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
