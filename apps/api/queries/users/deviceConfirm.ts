import { z } from 'zod';
import { requiredTextField } from '#domain/fields/index.ts';
import { ignoredField } from '#domain/fields/unknown-keys.ts';
import { answerDeviceLogin, findDeviceLogin } from '#commands/users/credentials.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'deviceConfirm',
  spec: ['2.7', 'G-01'],
  summary: 'Approves or denies the device login with this code; without an answer it names the application.',
  limits: [
    { name: 'deviceCodeGuess', points: 10, perSeconds: 3600, by: 'user', counts: 'failures' },
    { name: 'deviceCodeGuessByAddress', points: 30, perSeconds: 3600, by: 'ip', counts: 'failures' },
  ],
  errors: {
    MISSING_FIELD: 400,
    INVALID_FIELD: 400,
    INVALID_USER_CODE: { status: 404, message: 'No device login has this code. It may have expired.' },
  },
  input: z.strictObject({
    userCode: requiredTextField(40),
    answer: z.enum(['approve', 'refuse'], 'INVALID_FIELD').nullish(),
  }),
  output: z.strictObject({
    application: z.string(),
    state: z.enum(['waiting', 'approved', 'refused']),
    expires: z.iso.datetime(),
    ...ignoredField,
  }),
  tx: 'write',
  example: { userCode: 'WDJB-MJHT', answer: 'approve' },
  handler: async ({ input: { userCode, answer }, caller, clock, config, db }) => {
    const deps = { clock, config };
    const { application, state, expiresAt } = answer
      ? await answerDeviceLogin(db, deps, {
          userCode,
          userId: caller.userId,
          generation: caller.tokenGeneration,
          isApproved: answer === 'approve',
        })
      : await findDeviceLogin(db, deps, userCode);
    return { application, state, expires: expiresAt.toISOString() };
  },
});
