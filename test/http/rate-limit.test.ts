import { afterAll, beforeAll, expect, test } from 'vitest';
import { generalLimit, stateChangeLimit } from '#api/limits.ts';
import type { Limit } from '#api/limits.ts';
import { networkOf } from '#api/services/network.ts';
import { createRateLimiter } from '#api/services/rate-limiter.ts';
import { testContext } from '../harness.ts';
import type { TestContext } from '../harness.ts';

let context: TestContext;
beforeAll(async () => {
  context = await testContext();
});
afterAll(() => context.close());

const feedback: Limit = { name: 'feedback', points: 5, perSeconds: 3600, by: 'user', isFixed: true };

test('Two processes share an exact limit; another user has their own (M-8.16)', async () => {
  const [a, b] = [createRateLimiter(context), createRateLimiter(context)];
  const takes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, i) => (i % 2 ? a : b).take(feedback, 'user:1')),
  );
  expect(takes.filter((take) => take.status === 'fulfilled')).toHaveLength(5);
  await expect(a.take(feedback, 'user:1')).rejects.toMatchObject({ code: 'RATE_LIMITED', status: 429 });
  const { headersOf, left } = await b.take(feedback, 'user:9');
  expect([headersOf()['RateLimit'], left]).toEqual([expect.stringContaining('r=4'), 0.8]);
  await Promise.all([a.close(), b.close()]);
});

test('A sliding limit holds in every hour: what was used counts until an hour after it (M-8.16)', async () => {
  const limiter = createRateLimiter(context);
  const take = () => limiter.take(stateChangeLimit, 'user:slides');
  for (const minutes of [10, 10, 10, 10, 25]) {
    await take();
    context.clock.advance(minutes * 60);
  }
  await limiter.take(stateChangeLimit, 'user:slides-other');
  // Sixty-five minutes after the first, so one is free.
  expect((await take()).headersOf()['RateLimit']).toBe('"stateChange";r=0;t=300');
  const refusedAt = context.clock.now();
  await expect(take()).rejects.toMatchObject({ code: 'RATE_LIMITED', headers: { 'Retry-After': '300' } });
  await limiter.giveBack(stateChangeLimit, 'user:slides', refusedAt);
  context.clock.advance(300);
  await take();
  const two = await Promise.allSettled([take(), take()]);
  expect(two.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await limiter.close();
});

test('Two processes share an approximate limit once both have flushed; the next window starts at zero', async () => {
  const [a, b] = [createRateLimiter(context), createRateLimiter(context)];
  for (let i = 0; i < generalLimit.points; i += 1) await a.take(generalLimit, 'user:1');
  await a.flush();
  // The first call makes this process read the shared total.
  await b.take(generalLimit, 'user:1');
  await b.flush();
  await expect(b.take(generalLimit, 'user:1')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    headers: { 'Retry-After': expect.stringMatching(/^\d+$/), 'RateLimit-Policy': '"general";q=120;w=60' },
  });
  context.clock.advance(60);
  await b.take(generalLimit, 'user:1');
  await Promise.all([a.close(), b.close()]);
});

test('A point that was given back can be used again', async () => {
  const limiter = createRateLimiter(context);
  const limit: Limit = { name: 'refunded', points: 1, perSeconds: 3600, by: 'ip', isRefundedOnSuccess: true };
  await limiter.take(limit, 'ip:1');
  await limiter.giveBack(limit, 'ip:1', context.clock.now());
  await limiter.take(limit, 'ip:1');
  await expect(limiter.take(limit, 'ip:1')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  await limiter.close();
});

test('A point is given back to its window only: a call that ends in the next one adds none to it', async () => {
  const limiter = createRateLimiter(context);
  const limit: Limit = { name: 'late', points: 1, perSeconds: 3600, by: 'ip', isRefundedOnFailure: true };
  const takenAt = context.clock.now();
  await limiter.take(limit, 'ip:1');
  context.clock.advance(3_600);
  await limiter.giveBack(limit, 'ip:1', takenAt);
  await limiter.take(limit, 'ip:1');
  await expect(limiter.take(limit, 'ip:1')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  await limiter.close();
});

test('A point that cannot be given back fails nothing', async () => {
  const gone = await testContext();
  const limiter = createRateLimiter(gone);
  const limit: Limit = { name: 'refunded', points: 1, perSeconds: 3600, by: 'ip', isRefundedOnSuccess: true };
  await limiter.take(limit, 'ip:1');
  await gone.close();
  await expect(limiter.giveBack(limit, 'ip:1', context.clock.now())).resolves.toBeUndefined();
  await limiter.close();
});

test('Our limits scale, those of the specification do not', async () => {
  const scaled = await testContext({ databaseUrl: context.databaseUrl, env: { RATE_LIMIT_SCALE: '10' } });
  const limiter = createRateLimiter(scaled);
  const policyOf = async (limit: Limit) =>
    (await limiter.take(limit, 'user:9')).headersOf()['RateLimit-Policy'];
  expect(await policyOf(generalLimit)).toBe('"general";q=1200;w=60');
  expect(await policyOf(stateChangeLimit)).toBe('"stateChange";q=5;w=3600');
  await limiter.close();
  await scaled.close();
});

test('An address is counted as IPv4 or as the /64 of IPv6, regardless of notation', () => {
  const network = '2001:db8:1:2::/64';
  for (const [ip, expected] of [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2::1', network],
    ['2001:DB8:1:2:ffff:ffff:ffff:ffff', network],
    ['2001:0db8:0001:0002::', network],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4::/64'],
    ['not an address', 'not an address'],
  ] as const)
    expect([ip, networkOf(ip)]).toEqual([ip, expected]);
});
