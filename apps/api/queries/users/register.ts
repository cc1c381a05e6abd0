import { z } from 'zod';
import { optionalTextField } from '#domain/fields/index.ts';
import { pinSchema, registerRanks } from '#domain/users/fields.ts';
import { defaultUnits, onlineServers } from '#domain/users/preferences.ts';
import { registerLimit } from './common/users.ts';
import {
  newAccount,
  newAccountErrors,
  openSession,
  personFields,
  sessionSchema,
  signedIn,
} from './common/session.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'register',
  aliases: ['signUp'],
  spec: ['2.7', '4.6'],
  summary: 'Creates an account, logs in, and mails a link that verifies the email address.',
  auth: 'none',
  devKey: { userInfo: 'FULL' },
  limits: [registerLimit],
  errors: {
    ...newAccountErrors,
    INVALID_RANK: { status: 400, message: `The rank must be one of ${registerRanks.join(', ')}.` },
  },
  inputFrom: 'bodyAndData',
  input: z.strictObject({
    ...personFields,
    rank: z.enum(registerRanks, 'INVALID_RANK').default('CAPT'),
    crewcode: optionalTextField(20),
    pin: pinSchema.nullish(),
    plannerId: z.int('INVALID_FIELD').nonnegative('INVALID_FIELD').nullish(),
    userPreferences: z
      .strictObject(
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
    const developerKeyId = ctx.key?.id ?? null;
    const { plannerId, userPreferences, ...person } = ctx.input;
    const { defaultUnit, multiplayerNetwork } = userPreferences ?? {};
    const preferences = {
      ...(defaultUnit === undefined ? {} : { defaultUnit }),
      ...(multiplayerNetwork === undefined ? {} : { onlineServer: multiplayerNetwork }),
      ...(plannerId === undefined || plannerId === null ? {} : { planner: { plannerUserId: plannerId } }),
    };
    const opened = await newAccount(ctx, { ...person, preferences, developerKeyId }, async (tx, userId) => ({
      userId,
      session: await openSession(tx, ctx, { userId, developerKeyId }),
    }));
    return signedIn(ctx, opened);
  },
});
