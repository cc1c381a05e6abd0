import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRateLimiter } from '#api/services/rate-limiter.ts';
import { testContext } from '../harness.ts';
import type { TestContext } from '../harness.ts';

let context: TestContext;
beforeAll(async () => {
  context = await testContext();
});
afterAll(() => context.close());

const subject = { userId: 1, developerKeyId: 2, email: null, ip: '203.0.113.1' };
const other = { ...subject, userId: 9 };

test('Two processes share an exact limit; another user has his own (M-8)', async () => {
  const [a, b] = [createRateLimiter(context), createRateLimiter(context)];
  const takes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, i) => (i % 2 ? a : b).take('feedback', subject)),
  );
  expect(takes.filter((take) => take.status === 'fulfilled')).toHaveLength(5);
  await expect(a.take('feedback', subject)).rejects.toMatchObject({ code: 'RATE_LIMITED', status: 429 });
  expect(await b.take('feedback', other)).toMatchObject({ RateLimit: expect.stringContaining('r=4') });
  await Promise.all([a.close(), b.close()]);
});

test('Two processes share the general limit within a flush; the next window starts anew', async () => {
  const [a, b] = [createRateLimiter(context), createRateLimiter(context)];
  for (let i = 0; i < 120; i += 1) await a.take('general', subject);
  await new Promise((resolve) => setTimeout(resolve, 700));
  await b.take('general', subject);
  await new Promise((resolve) => setTimeout(resolve, 700));
  await expect(b.take('general', subject)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    headers: { 'Retry-After': expect.stringMatching(/^\d+$/), 'RateLimit-Policy': '"general";q=120;w=60' },
  });
  context.clock.advance(60);
  await b.take('general', subject);
  await Promise.all([a.close(), b.close()]);
});

test('One mail address is one counter, however it is written', async () => {
  const limiter = createRateLimiter(context);
  const as = (email: string) => limiter.take('login', { ...subject, userId: null, email });
  for (let i = 0; i < 10; i += 1) await as(`${' '.repeat(i)}Anna@mail.example`);
  await expect(as('anna@MAIL.example\0')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  await as('bert@mail.example');
  await limiter.close();
});

test('Limits of our own scale, stated ones do not', async () => {
  const scaled = await testContext({ databaseUrl: context.databaseUrl, env: { RATE_LIMIT_SCALE: '10' } });
  const limiter = createRateLimiter(scaled);
  expect(await limiter.take('general', other)).toMatchObject({ 'RateLimit-Policy': '"general";q=1200;w=60' });
  expect(await limiter.take('stateChange', other)).toMatchObject({
    'RateLimit-Policy': '"stateChange";q=5;w=3600',
  });
  await limiter.close();
  await scaled.close();
});
