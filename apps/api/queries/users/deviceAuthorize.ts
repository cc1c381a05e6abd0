import { z } from 'zod';
import { addSeconds } from '#domain/time.ts';
import { deviceLoginSeconds, firstIntervalSeconds, shownUserCode } from '#domain/users/device-login.ts';
import { hashOfSecret, lookupHash, newSecret, newUserCode } from '#store/auth/secrets.ts';
import { deviceLoginWrites } from '#store/postgres/users/device-logins.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'deviceAuthorize',
  spec: ['2.7', 'G-01'],
  summary:
    'Starts the login of a device without a keyboard: returns a code to show, and one to poll for the token.',
  auth: 'none',
  devKey: 'any',
  limits: [{ name: 'deviceAuthorize', points: 60, perSeconds: 3600, by: ['key', 'ip'] }],
  output: z.strictObject({
    deviceCode: z.string(),
    userCode: z.string(),
    verificationUri: z.url(),
    verificationUriComplete: z.url(),
    expiresIn: z.int(),
    interval: z.int(),
  }),
  tx: 'write',
  commits: 'nothing',
  handler: async ({ config, db, key, now, fail }) => {
    if (!key) throw fail('INVALID_DEV_KEY');
    const [deviceCode, userCode] = [newSecret(), newUserCode()];
    await deviceLoginWrites(db).insert({
      deviceCodeHash: hashOfSecret(deviceCode),
      userCodeHash: lookupHash(userCode, 'device code', config.ENCRYPTION_KEYS),
      developerKeyId: key.id,
      createdAt: now,
      expiresAt: addSeconds(now, deviceLoginSeconds),
      intervalSeconds: firstIntervalSeconds,
    });
    const shown = shownUserCode(userCode);
    const verificationUri = `${config.WEB_BASE_URL}/device`;
    return {
      deviceCode,
      userCode: shown,
      verificationUri,
      verificationUriComplete: `${verificationUri}?user_code=${shown}`,
      expiresIn: deviceLoginSeconds,
      interval: firstIntervalSeconds,
    };
  },
});
