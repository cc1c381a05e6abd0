import { z } from 'zod';
import { emailField } from '#domain/fields/index.ts';
import { passwordSchema } from '#domain/users/fields.ts';
import { needsRehash, passwords } from '#store/auth/passwords.ts';
import { userWrites } from '#store/postgres/users/users.ts';
import { credentialErrors, loginAddressLimit, loginLimit, verifiedAccount } from './common/credentials.ts';
import { emailErrors } from './common/users.ts';
import { logIn, sessionSchema, signedIn } from './common/session.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'login',
  aliases: ['signIn'],
  spec: ['2.7', '4.6', '5'],
  summary: 'Returns a token for an email address and password.',
  auth: 'none',
  devKey: 'any',
  limits: [loginLimit, loginAddressLimit],
  errors: {
    ...emailErrors,
    ...credentialErrors,
  },
  inputFrom: 'bodyAndData',
  input: z.strictObject({ email: emailField(), password: passwordSchema }),
  output: sessionSchema,
  // The password is verified outside of the transaction.
  tx: 'manual',
  commits: 'nothing',
  example: { email: 'anna.mueller@mail.example', password: 'correct horse' },
  handler: async (ctx) => {
    const { input, transaction, key, fail } = ctx;
    const account = await verifiedAccount(ctx, input);
    const { userId, passwordHash, tokenGeneration: generation } = account;
    const stronger = needsRehash(passwordHash) ? await passwords.hash(input.password) : null;
    const session = await transaction(async (tx) => {
      if (stronger !== null) await userWrites(tx).upgradeHash(userId, passwordHash, stronger);
      return logIn(tx, ctx, { userId, developerKeyId: key?.id ?? null, generation });
    });
    // A password reset may happen while the password is verified.
    if (session === null) throw fail('INVALID_CREDENTIALS');
    return signedIn(ctx, { userId, session, generation });
  },
});
