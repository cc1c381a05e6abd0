import { z } from 'zod';
import { emailField } from '#domain/fields/index.ts';
import { passwordSchema } from '#domain/users/fields.ts';
import { mailEmailLink } from '#commands/users/email.ts';
import { emailChangeMail, newAddressMail } from '#domain/users/mails.ts';
import { emailProofWrites } from '#store/postgres/users/email-proofs.ts';
import { identityRepo } from '#store/postgres/users/identities.ts';
import { userProfileRepo } from '#store/postgres/users/profiles.ts';
import { checkPassword, incorrectPassword, passwordLimit } from './common/credentials.ts';
import { emailErrors, emailTaken } from './common/users.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'changeEmail',
  spec: ['4.6'],
  summary:
    "Mails a link to the account's email address and one to the new address, which replaces it once both were opened.",
  limits: [passwordLimit, { name: 'changeEmail', points: 5, perSeconds: 3600, by: 'user' }],
  errors: { ...emailErrors, ...emailTaken, ...incorrectPassword },
  input: z.strictObject({ password: passwordSchema, newEmail: emailField() }),
  output: z.strictObject({ message: z.string() }),
  // The password is verified outside of the transaction.
  tx: 'manual',
  example: { password: 'correct horse', newEmail: 'anna@mail.example' },
  handler: async (ctx) => {
    const { input, caller, db, transaction } = ctx;
    const { userId, email } = caller;
    const { newEmail: newAddress } = input;
    await checkPassword(ctx, input.password);
    if ((await identityRepo(db).idByEmail(newAddress)) !== null) throw ctx.fail('EMAIL_ALREADY_REGISTERED');
    const profile = await userProfileRepo(db).byId(userId);
    if (!profile) throw new Error(`user ${userId} was deleted during the call`);
    const { firstname } = profile;
    await transaction(async (tx) => {
      const proofs = emailProofWrites(tx);
      await proofs.lockUser(userId);
      // Replaces an earlier request.
      await proofs.endChange(userId);
      const mail = (link: string) => emailChangeMail(firstname, newAddress, link);
      await mailEmailLink(tx, ctx, { userId, address: email, newAddress, mail });
      await mailEmailLink(tx, ctx, { userId, address: newAddress, newAddress, mail: newAddressMail });
    });
    return { message: 'Two emails are on their way: open the link in both, the old and the new address.' };
  },
});
