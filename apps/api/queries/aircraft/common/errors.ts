import { z } from 'zod';
import type { ErrorTable } from '../../../errors.ts';

/** Errors of `aircraft.find`. */
export const aircraftErrors = {
  AIRCRAFT_NOT_FOUND: {
    status: 404,
    message: 'Unknown aircraft profile.',
    // Absent for a fleet profile whose standard aircraft is gone.
    extra: z.strictObject({
      nearest: z.array(z.string()).optional(),
      offered: z.array(z.string()).optional(),
    }),
  },
  AIRCRAFT_INVALID: { status: 422, message: 'The engine refuses this profile.' },
  FILE_NOT_FOUND: { status: 500, message: 'The file of this profile is missing.' },
} as const satisfies ErrorTable;
