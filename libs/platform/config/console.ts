import { z } from 'zod';
import type { Variable } from './sources.ts';

export const consoleVariables = {
  CONSOLE: {
    schema: z.enum(['on', 'off', 'http'], 'must be on, off or http').default('on'),
    text: "The operator's console at `/console`: `on` over HTTPS and from the machine itself, `http` also without HTTPS (in a private network), or `off`.",
  },
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
