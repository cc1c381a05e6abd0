import { z } from 'zod';
import type { Variable } from './sources.ts';

export const consoleVariables = {
  CONSOLE: {
    schema: z.enum(['on', 'off', 'http'], 'must be on, off or http').default('on'),
    text: "The operator's console at `/console`: `on` over HTTPS and from the machine itself, `http` also without HTTPS (in a private network), or `off`.",
  },
} as const satisfies Record<string, Variable>;
