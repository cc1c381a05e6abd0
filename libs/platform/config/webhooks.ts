import { z } from 'zod';
import type { Variable } from './sources.ts';

export const webhookVariables = {
  WEBHOOKS_TO_PRIVATE_NETWORKS: {
    schema: z
      .enum(['0', '1', 'true', 'false'], 'must be true or false (or 1 or 0)')
      .default('0')
      .transform((value) => value === '1' || value === 'true'),
    setBy: 'Operators whose applications are in their own network, and developers: `1`.',
    text: 'Webhooks of applications may go to plain HTTP and to private addresses. Without it only to HTTPS and public addresses.',
  },
} as const satisfies Record<string, Variable>;
