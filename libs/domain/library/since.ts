/** `since` of an incremental sync (M-4.4.q1). */
import { z } from 'zod';
import { instantText } from '../text/instant.ts';

/** ISO 8601, or `YYYY-MM-DD HH:MM:SS` in UTC; absent or null: everything. */
export const sinceField = () =>
  z
    .string('INVALID_SINCE')
    .max(64, 'INVALID_SINCE')
    .transform((text, ctx) => {
      const instant = instantText(text);
      if (instant !== null) return instant;
      ctx.addIssue('INVALID_SINCE');
      return z.NEVER;
    })
    .nullish();
