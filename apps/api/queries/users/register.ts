import { z } from 'zod';
import { emailField, optionalTextField } from '#domain/fields/index.ts';
import { newPasswordSchema, pinSchema, registerRanks } from '#domain/users/fields.ts';
import { nameField } from '#domain/users/names.ts';
import { defaultUnits, onlineServers } from '#domain/users/preferences.ts';
import { passwords } from '#data/auth/passwords.ts';
import { userRepo } from '#data/postgres/users/users.ts';
import { createAccount } from '#commands/users/create-account.ts';
import { mailVerification } from '#commands/users/mail-verification.ts';
import { emailErrors, emailTaken } from './common/errors.ts';
import { hashing } from './common/hashing.ts';
import { openSession, sessionSchema, signedIn } from './common/session.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'register',
  aliases: ['signUp'],
  spec: ['2.7', '4.6'],
  summary: 'Creates an account, logs in, and mails a link that verifies the email address.',
  auth: 'none',
  devKey: { userInfo: 'FULL' },
  limits: [{ name: 'register', points: 20, perSeconds: 3600, by: 'ip' }],
  dialect: 'flat',
  errors: {
    ...emailErrors,
    PASSWORD_TOO_SHORT: { status: 400, message: 'The password must have at least 6 characters.' },
    INVALID_RANK: { status: 400, message: `The rank must be one of ${registerRanks.join(', ')}.` },
    ...emailTaken,
  },
  inputFrom: 'bodyAndData',
  input: z.object({
    email: emailField(),
    password: newPasswordSchema,
    firstname: nameField(),
    lastname: nameField(),
    rank: z.enum(registerRanks, 'INVALID_RANK').default('CAPT'),
    crewcode: optionalTextField(20),
    pin: pinSchema.nullish(),
    plannerId: z.int('INVALID_FIELD').nonnegative('INVALID_FIELD').nullish(),
    userPreferences: z
      .object(
        {
          defaultUnit: z.enum(defaultUnits, 'INVALID_FIELD').optional(),
          multiplayerNetwork: z.enum(onlineServers, 'INVALID_FIELD').optional(),
        },
        'INVALID_FIELD',
      )
      .nullish(),
  }),
  output: sessionSchema,
  // The password is hashed outside of the transaction.
  tx: 'manual',
  example: {
    email: 'anna.mueller@mail.example',
    password: 'correct horse',
    firstname: 'Anna',
    lastname: 'Müller',
    userPreferences: { defaultUnit: 'METRIC', multiplayerNetwork: 'None' },
  },
  handler: async (ctx) => {
    const { input, db, transaction, key } = ctx;
    if (await userRepo(db).isRegistered(input.email)) throw ctx.fail('EMAIL_ALREADY_REGISTERED');
    const developerKeyId = key?.id ?? null;
    const { password, plannerId, userPreferences, ...person } = input;
    const { defaultUnit, multiplayerNetwork } = userPreferences ?? {};
    const passwordHash = await hashing(passwords.hash(password));
    const account = {
      ...person,
      passwordHash,
      preferences: {
        ...(defaultUnit === undefined ? {} : { defaultUnit }),
        ...(multiplayerNetwork === undefined ? {} : { onlineServer: multiplayerNetwork }),
        ...(plannerId === undefined || plannerId === null ? {} : { planner: { plannerUserId: plannerId } }),
      },
      developerKeyId,
    };
    const opened = await transaction(async (tx) => {
      const { userId } = await createAccount(tx, ctx, account);
      await mailVerification(tx, ctx, { userId, ...account });
      return { userId, session: await openSession(tx, ctx, { userId, developerKeyId }) };
    });
    return signedIn(ctx, opened);
  },
});
