import type { ErrorTable } from '../errors.ts';

/** Errors of `aircraft.find`. */
export const aircraftErrors = {
  AIRCRAFT_NOT_FOUND: 404,
  AIRCRAFT_INVALID: { status: 422, message: 'The engine refuses this profile.' },
  FILE_NOT_FOUND: { status: 500, message: 'The file of this profile is missing.' },
} as const satisfies ErrorTable;
