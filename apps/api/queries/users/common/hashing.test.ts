import { expect, test } from 'vitest';
import { HasherBusyError } from '#store/auth/passwords.ts';
import { hashing } from './credentials.ts';

test('A saturated hasher answers 503 with Retry-After, and other failures are unchanged', async () => {
  await expect(hashing(Promise.reject(new HasherBusyError('full')))).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    status: 503,
    headers: { 'Retry-After': '2' },
  });
  const fault = new Error('something else');
  await expect(hashing(Promise.reject(fault))).rejects.toBe(fault);
  await expect(hashing(Promise.resolve('hash'))).resolves.toBe('hash');
});
