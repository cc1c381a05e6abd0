import { z } from 'zod';
import { requiredTextField } from '#domain/fields/index.ts';
import { deviceAnswer } from '#domain/users/device-login.ts';
import { hashOfSecret } from '#store/auth/secrets.ts';
import { deviceLoginWrites } from '#store/postgres/users/device-logins.ts';
import { logIn, sessionSchema, signedIn } from './common/session.ts';
import { defineQuery } from '../../define.ts';

const errorOf = {
  pending: 'AUTHORIZATION_PENDING',
  'slow down': 'SLOW_DOWN',
  expired: 'DEVICE_CODE_EXPIRED',
  refused: 'DEVICE_LOGIN_REFUSED',
} as const;

export default defineQuery({
  name: 'deviceToken',
  spec: ['2.7', 'G-01'],
  summary: 'Polls for the approval of a device login, then returns a token, once.',
  auth: 'none',
  devKey: 'any',
  limits: [{ name: 'deviceToken', points: 60, perSeconds: 60, by: ['key', 'ip'] }],
  errors: {
    MISSING_FIELD: 400,
    INVALID_FIELD: 400,
    INVALID_DEVICE_CODE: { status: 400, message: 'This device code is unknown, or its token was fetched.' },
    AUTHORIZATION_PENDING: { status: 400, message: 'The user has not answered yet.' },
    SLOW_DOWN: { status: 400, message: 'The device polls too often. Wait 5 seconds longer each time.' },
    DEVICE_CODE_EXPIRED: { status: 400, message: 'The device code has expired. Start again.' },
    DEVICE_LOGIN_REFUSED: { status: 403, message: 'The user has denied the login.' },
  },
  input: z.strictObject({
    deviceCode: requiredTextField(100, { missing: 'MISSING_FIELD', invalid: 'INVALID_FIELD' }),
  }),
  output: sessionSchema,
  // Refusals are committed, too: they record when the device last polled.
  tx: 'manual',
  commits: 'nothing',
  example: { deviceCode: 'GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eSmQ' },
  handler: async (ctx) => {
    const { input, key, now, transaction, fail } = ctx;
    const developerKeyId = key?.id ?? 0;
    const outcome = await transaction(async (tx) => {
      const writes = deviceLoginWrites(tx);
      const login = await writes.lock(hashOfSecret(input.deviceCode), developerKeyId);
      if (!login) throw fail('INVALID_DEVICE_CODE');
      const { answer, intervalSeconds } = deviceAnswer(login, now);
      const { id, userId, tokenGeneration } = login;
      if (answer !== 'approved' || userId === null) {
        await writes.noteAsked(id, now, intervalSeconds);
        return { refusal: answer === 'approved' ? errorOf.expired : errorOf[answer] };
      }
      await writes.end(id);
      const generation = tokenGeneration ?? 0;
      const session = await logIn(tx, ctx, { userId, developerKeyId, generation });
      return session === null ? { refusal: errorOf.refused } : { userId, session, generation };
    });
    if ('refusal' in outcome) throw fail(outcome.refusal);
    return signedIn(ctx, outcome);
  },
});
