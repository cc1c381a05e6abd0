import { z } from 'zod';
import { emailField } from '#domain/fields/index.ts';
import { maxReturnUrlLength, safeReturnUrl } from '#domain/users/return-url.ts';
import { askForReset } from '#commands/users/credentials.ts';
import { applicationRepo } from '#store/postgres/developer-keys/developer-keys.ts';
import { emailErrors, resetAddressLimit, resetRequestLimit } from './common/users.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'requestPasswordReset',
  spec: ['4.6'],
  summary: 'Sends an email with a password reset link, if the account exists.',
  auth: 'none',
  devKey: 'any',
  limits: [resetRequestLimit, resetAddressLimit],
  errors: {
    ...emailErrors,
  },
  inputFrom: 'bodyAndData',
  input: z.strictObject({
    email: emailField(),
    returnUrl: z.string('INVALID_FIELD').max(maxReturnUrlLength, 'INVALID_FIELD').nullish(),
  }),
  output: z.strictObject({
    message: z.string(),
    ignored: z
      .array(z.literal('returnUrl'))
      .optional()
      .describe(
        'fields that were ignored because the developer key does not allow their value; absent when there are none',
      ),
  }),
  tx: 'write',
  example: { email: 'anna.mueller@mail.example', returnUrl: 'myefb://login' },
  handler: async ({ input: { email, returnUrl: asked }, db, key, jobs, clock }) => {
    const returnUrl = asked ? safeReturnUrl(asked, key?.returnUrlHosts ?? []) : null;
    const application = returnUrl !== null && key ? await applicationRepo(db).selfMadeName(key.id) : null;
    await askForReset(db, { jobs, clock }, { email, returnUrl, application });
    return {
      message: 'If there is an account for this email address, an email is on its way.',
      // The mail is sent nevertheless.
      ...(asked && returnUrl === null ? { ignored: ['returnUrl' as const] } : {}),
    };
  },
});
