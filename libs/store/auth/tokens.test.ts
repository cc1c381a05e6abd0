import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { keyIdOf, readConfig } from '#platform/config/config.ts';
import { createTokens } from './tokens.ts';

const oldKey = 'old-key-0123456789-0123456789-01234567';
const newKey = 'new-key-0123456789-0123456789-01234567';
const start = new Date('2026-09-16T12:00:00Z');
const claims = { userId: 7, developerKeyId: 3, generation: 2 };

const tokensWith = (secret: string, now: Date = start) =>
  createTokens(
    readConfig({ DATABASE_URL: 'postgres://x/y', SAFETY_CODE: 's'.repeat(16), JWT_SECRET: secret }),
    { now: () => now },
  );

describe('tokens', () => {
  test('An issued token is verified with user, key, generation and 24 hours of validity (M-5.1)', async () => {
    const tokens = tokensWith(newKey);
    const { token, expiresAt, expiresInSeconds } = await tokens.issue(claims);
    expect(expiresInSeconds).toBe(86_400);
    expect(expiresAt.getTime() - start.getTime()).toBe(86_400_000);
    expect(await tokens.verify(token)).toEqual({
      claims: { ...claims, session: null, isGuest: false, expiresAt },
      problem: null,
    });
    expect(await tokensWith(newKey, new Date(start.getTime() + 86_399_000)).verify(token)).toMatchObject({
      problem: null,
    });
    expect(await tokensWith(newKey, new Date(start.getTime() + 86_401_000)).verify(token)).toEqual({
      claims: null,
      problem: 'expired',
    });
  });

  test('After a rotation the old key verifies as long as it is listed', async () => {
    const { token } = await tokensWith(oldKey).issue(claims);
    expect(await tokensWith(`${newKey},${oldKey}`).verify(token)).toMatchObject({ claims: { userId: 7 } });
    expect(await tokensWith(newKey).verify(token)).toMatchObject({ claims: null });
    const rotated = await tokensWith(`${newKey},${oldKey}`).issue(claims);
    expect(await tokensWith(newKey).verify(rotated.token)).toMatchObject({ claims: { userId: 7 } });
  });

  test('Forged, foreign and malformed tokens are refused (M-5.1)', async () => {
    const tokens = tokensWith(newKey);
    const key = new TextEncoder().encode(newKey);
    const sign = (change: (jwt: SignJWT) => SignJWT, header: Record<string, string> = {}) =>
      change(
        new SignJWT({ gen: 2 })
          .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: keyIdOf(newKey), ...header })
          .setSubject('7')
          .setIssuer('efb-backend')
          .setAudience('main-interface')
          .setIssuedAt(start)
          .setExpirationTime(new Date(start.getTime() + 60_000)),
      ).sign(key);
    expect(await tokens.verify(await sign((jwt) => jwt))).toMatchObject({
      claims: { userId: 7, developerKeyId: null },
    });
    const bad = [
      await sign((jwt) => jwt.setAudience('v2')),
      await sign((jwt) => jwt.setIssuer('other')),
      await sign((jwt) => jwt.setSubject('seven')),
      await sign((jwt) => jwt.setNotBefore(new Date(start.getTime() + 30_000))),
      await sign((jwt) => jwt, { alg: 'HS512' }),
      await sign((jwt) => jwt, { kid: 'unknown' }),
      await sign((jwt) => jwt, { typ: 'at+jwt' }),
      await new SignJWT({ gen: 2, sub: '7' })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: keyIdOf(newKey) })
        .sign(key),
      `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.e30.`,
      'a.b.c',
      '',
      'x'.repeat(1_000_000),
    ];
    for (const token of bad)
      expect(await tokens.verify(token)).toEqual({ claims: null, problem: 'malformed' });
  });
});
