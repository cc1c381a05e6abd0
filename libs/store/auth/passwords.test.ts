import { hash, verify } from '@node-rs/argon2';
import { describe, expect, test, vi } from 'vitest';
import { UnavailableError } from '#domain/errors.ts';
import { newApiKey } from './secrets.ts';
import { needsRehash, passwordPolicy, passwords } from './passwords.ts';

vi.mock(import('@node-rs/argon2'), { spy: true });

describe('passwords', () => {
  test('Hashes are argon2id with at least 19 MiB, 2 passes, 1 lane', async () => {
    const stored = await passwords.hash('secret-1');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(passwordPolicy.memoryCost * passwordPolicy.timeCost).toBeGreaterThanOrEqual(38_912);
    expect(needsRehash(stored)).toBe(false);
  });

  test('Less work or another algorithm requires a new hash', async () => {
    expect(needsRehash(await hash('x', { memoryCost: 8_192, timeCost: 2, parallelism: 1 }))).toBe(true);
    expect(needsRehash(await hash('x', { memoryCost: 19_456, timeCost: 1, parallelism: 1 }))).toBe(true);
    expect(
      needsRehash(await hash('x', { algorithm: 1, memoryCost: 19_456, timeCost: 2, parallelism: 1 })),
    ).toBe(true);
    expect(needsRehash('plain text')).toBe(true);
  });

  test('Long and Unicode passwords are used completely, and both encodings of a letter are equal', async () => {
    const long = `${'p'.repeat(1_000)}A`;
    const stored = await passwords.hash(long);
    expect(await passwords.verify(stored, long)).toBe(true);
    expect(await passwords.verify(stored, `${'p'.repeat(1_000)}B`)).toBe(false);
    expect(await passwords.verify(await passwords.hash('caf\u00e9 ✈ 密码'), 'cafe\u0301 ✈ 密码')).toBe(true);
  });

  test('Verification for a missing account fails after the same work', async () => {
    expect(await passwords.verify(null, 'no account has this password')).toBe(false);
    const stored = await passwords.hash('right one');
    vi.mocked(verify).mockClear();
    vi.mocked(hash).mockClear();
    expect(await passwords.verify(stored, 'wrong one')).toBe(false);
    expect(await passwords.verify(null, 'wrong one')).toBe(false);
    const calls = vi.mocked(verify).mock.calls;
    expect(calls.map(([, password]) => password)).toEqual(['wrong one', 'wrong one']);
    expect(new Set(calls.map(([against]) => String(against).split('$', 4).join('$')))).toEqual(
      new Set(['$argon2id$v=19$m=19456,t=2,p=1']),
    );
    expect(hash).not.toHaveBeenCalled();
  });

  test('A saturated hasher refuses immediately, and recovers', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 33 }, (_, n) => passwords.hash(`${n}`)));
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused).toEqual([expect.any(UnavailableError)]);
    expect(refused[0]).toMatchObject({ retryAfterSeconds: 2 });
    expect(await passwords.hash('afterwards')).toMatch(/^\$argon2id/);
  });
});

test('API keys have the specified form, no ambiguous letters, and do not repeat (M-2.7.r7)', () => {
  const keys = Array.from({ length: 2_000 }, newApiKey);
  for (const key of keys)
    expect(key).toMatch(/^API-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
  expect(new Set(keys).size).toBe(keys.length);
});
