import { z } from 'zod';
import type { Variable } from './config-sources.ts';

export const consoleVariables = {
  AUDIT_DAYS: {
    schema: z.coerce
      .number('must be a number')
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(36_500, 'must be at most 36500')
      .default(730),
    text: 'Days for which changes by operators are kept (`npm run ops -- audit list`).',
  },
} as const satisfies Record<string, Variable>;
