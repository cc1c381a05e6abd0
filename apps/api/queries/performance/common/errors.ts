import { z } from 'zod';
import { aircraftErrors } from '../../aircraft/common/errors.ts';
import { airportErrors, runwayErrors } from '../../airports/common/errors.ts';
import type { ErrorTable } from '../../../errors.ts';

/** Errors of every kind of calculation. */
export const calculationErrors = {
  CALCULATION_LIMIT_REACHED: {
    status: 403,
    message: 'No calculations left in this period.',
    extra: z.strictObject({
      availableAt: z
        .string()
        .nullable()
        .describe(
          'When an earlier calculation is 30 days old and there is one again, UTC, `YYYY-MM-DD HH:MM:SS`; null: never.',
        ),
    }),
  },
  AIRPORT_NOT_ALLOWED: {
    status: 403,
    message: 'Your subscription does not include this airport.',
    extra: z.strictObject({ airport: z.string() }),
  },
  ...aircraftErrors,
  ...airportErrors,
} as const satisfies ErrorTable;

/** Besides, of a calculation for one runway with options. */
export const performanceErrors = {
  ...calculationErrors,
  FEATURE_NOT_IN_SUBSCRIPTION: {
    status: 403,
    message: 'Your subscription does not include this feature.',
    extra: z.strictObject({
      feature: z.string().describe('The feature that the subscription does not include.'),
      field: z.string().describe('The field of the request that needs it.'),
    }),
  },
  ...runwayErrors,
  RUNWAY_CLOSED: { status: 404, message: 'This runway is closed.' },
} as const satisfies ErrorTable;
