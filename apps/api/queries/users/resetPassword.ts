import { z } from 'zod';
import { requiredTextField } from '#domain/fields/index.ts';
import { newPasswordSchema } from '#domain/users/fields.ts';
import { useResetToken } from './common/credentials.ts';
import { defineQuery } from '../../define.ts';
import { passwordResetLimit } from './common/users.ts';

export default defineQuery({
  name: 'resetPassword',
  spec: ['4.6'],
  summary:
    'Sets a new password with the token of a mailed link; earlier tokens, signatures, confirmations and links are revoked.',
  auth: 'none',
  devKey: 'any',
  limits: [passwordResetLimit],
  errors: {
    MISSING_FIELD: 400,
    INVALID_FIELD: 400,
    PASSWORD_TOO_SHORT: { status: 400, message: 'The password must have at least 6 characters.' },
    INVALID_RESET_TOKEN: { status: 400, message: 'This link is invalid or has already been used.' },
    RESET_TOKEN_EXPIRED: { status: 410, message: 'This link has expired. Please request a new one.' },
  },
  inputFrom: 'bodyAndData',
  input: z.strictObject({
    token: requiredTextField(200),
    password: newPasswordSchema,
    renewApiKey: z.boolean('INVALID_FIELD').default(false),
  }),
  output: z.strictObject({ message: z.string(), returnUrl: z.string().optional() }),
  // The password is hashed outside of the transaction.
  tx: 'manual',
  example: { token: '43 characters from the link', password: 'correct horse' },
  handler: async (ctx) => {
    const { returnUrl } = await useResetToken(ctx, ctx.input);
    const changed = { message: 'Your password has been changed. Please log in with the new one.' };
    return returnUrl === null ? changed : { ...changed, returnUrl };
  },
});
