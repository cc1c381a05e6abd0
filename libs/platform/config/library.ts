import { z } from 'zod';
import type { Variable } from './sources.ts';

export const libraryVariables = {
  LIBRARY_MAX_UPLOAD_MB: {
    schema: z.coerce
      .number('must be a number')
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(5_000, 'must be at most 5000')
      .default(50),
    text: 'Largest file that users may upload to their library, within their quota.',
  },
} as const satisfies Record<string, Variable>;
