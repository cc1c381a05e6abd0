import { z } from 'zod';
import type { Variable } from './sources.ts';

/** The calculator at `/try`. */
export const tryVariables = {
  TRY_DEVELOPER_KEY: {
    schema: z.string().min(32, 'must have at least 32 characters').optional(),
    secret: true,
    text: 'Developer key of the calculator at `/try`, which is off without one. `npm run migrate` and `npm start` create an unknown one, with the permission `weather`, and its account. Generated with a new embedded database; `devkey revoke` switches the calculator off.',
  },
  TRY_ACCOUNT: {
    schema: z.email('must be an email address').default('try@localhost.localdomain'),
    text: 'Account whose allowance the visitors of `/try` share.',
  },
} as const satisfies Record<string, Variable>;
