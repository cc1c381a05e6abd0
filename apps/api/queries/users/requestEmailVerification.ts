import { z } from 'zod';
import { mailVerification } from '#commands/users/email.ts';
import { userProfileRepo } from '#store/postgres/users/profiles.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'requestEmailVerification',
  spec: ['4.6'],
  summary: "Mails another link that verifies the account's email address; register sends the first one.",
  limits: [{ name: 'emailVerification', points: 5, perSeconds: 3600, by: 'user' }],
  errors: {
    EMAIL_ALREADY_VERIFIED: { status: 409, message: 'This email address is already verified.' },
  },
  output: z.strictObject({ message: z.string() }),
  tx: 'write',
  handler: async (ctx) => {
    const { userId, email } = ctx.caller;
    const profile = await userProfileRepo(ctx.db).byId(userId);
    if (!profile) throw new Error(`user ${userId} was deleted during the call`);
    if (profile.isEmailVerified) throw ctx.fail('EMAIL_ALREADY_VERIFIED');
    await mailVerification(ctx.db, ctx, { userId, email, firstname: profile.firstname });
    return { message: 'An email with a link is on its way to your address.' };
  },
});
