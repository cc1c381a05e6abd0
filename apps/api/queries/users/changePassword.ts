import { z } from 'zod';
import { newPasswordSchema, passwordSchema } from '#domain/users/fields.ts';
import { passwords } from '#store/auth/passwords.ts';
import { userWrites } from '#store/postgres/users/users.ts';
import { setPassword } from '#commands/users/credentials.ts';
import { checkPassword, incorrectPassword, passwordLimit } from './common/credentials.ts';
import { openSession, tokenSchema, tokenView } from './common/session.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'changePassword',
  spec: ['4.6'],
  summary: 'Sets a new password and ends every session; the answer has a token for a new one.',
  limits: [passwordLimit],
  errors: {
    MISSING_FIELD: 400,
    INVALID_FIELD: 400,
    PASSWORD_TOO_SHORT: { status: 400, message: 'The new password must have at least 6 characters.' },
    ...incorrectPassword,
  },
  input: z.strictObject({
    oldPassword: passwordSchema,
    newPassword: newPasswordSchema,
    renewApiKey: z.boolean('INVALID_FIELD').default(false),
  }),
  output: tokenSchema,
  // The password is hashed outside of the transaction.
  tx: 'manual',
  example: { oldPassword: 'correct horse', newPassword: 'battery staple' },
  handler: async (ctx) => {
    const { input, caller, claims, tokens, transaction, fail } = ctx;
    const { userId } = caller;
    const { developerKeyId } = claims;
    await checkPassword(ctx, input.oldPassword);
    const passwordHash = await passwords.hash(input.newPassword);
    const opened = await transaction(async (tx) => {
      if (!(await userWrites(tx).holdGeneration(userId, caller.tokenGeneration))) throw fail('AUTH_REQUIRED');
      const changed = {
        userId,
        passwordHash,
        renewsApiKey: input.renewApiKey,
        event: 'changePassword',
      } as const;
      const { tokenGeneration: generation } = await setPassword(tx, ctx, changed);
      return { generation, session: await openSession(tx, ctx, { userId, developerKeyId }) };
    });
    return tokenView(await tokens.issue({ userId, developerKeyId, ...opened }));
  },
});
