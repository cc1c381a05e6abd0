import type { ErrorTable } from '../../../errors.ts';
import { ofpErrors } from '../../ofp/common/errors.ts';

/** Errors of every query about one row. */
export const flightDataErrors = {
  ...ofpErrors,
  INVALID_DATA_KEY: {
    status: 400,
    message: 'dataKey must be 1 to 64 characters of A-Z a-z 0-9 . _ -',
  },
} as const satisfies ErrorTable;

export const flightDataNotFound = {
  FLIGHT_DATA_NOT_FOUND: { status: 404, message: 'There is no flight data with this dataKey.' },
} as const satisfies ErrorTable;
