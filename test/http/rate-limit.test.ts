import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generalLimit, perMinute, stateChangeLimit } from '#api/limits.ts';
import type { Limit } from '#api/limits.ts';
import { emailLinkLimit } from '#api/queries/users/common/users.ts';
import { loadRegistries } from '#api/registry.ts';
import { createRateLimiter, isRefusal, networkOf } from '#api/services/rate-limiter.ts';
import { testContext } from '../harness.ts';
import type { TestContext } from '../harness.ts';

let context: TestContext;
beforeAll(async () => {
  context = await testContext();
});
afterAll(() => context.close());

const feedback: Limit = { name: 'feedback', points: 5, perSeconds: 3600, by: 'user', isFixed: true };

test('Two processes share an exact limit, and each user has their own (M-8.16)', async () => {
  const [a, b] = [createRateLimiter(context), createRateLimiter(context)];
  const takes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, i) => (i % 2 ? a : b).take(feedback, 'user:1')),
  );
  expect(takes.filter((take) => take.status === 'fulfilled')).toHaveLength(5);
  await expect(a.take(feedback, 'user:1')).rejects.toMatchObject({ code: 'RATE_LIMITED', status: 429 });
  const { headersOf, left } = await b.take(feedback, 'user:9');
  expect([headersOf()['RateLimit'], left]).toEqual([expect.stringContaining('r=4'), 0.8]);
});

test('A sliding limit holds over every hour: each call counts for an hour (M-8.16)', async () => {
  const limiter = createRateLimiter(context);
  const take = () => limiter.take(stateChangeLimit, 'user:slides');
  for (const minutes of [10, 10, 10, 10, 25]) {
    await take();
    context.clock.advance(minutes * 60);
  }
  await limiter.take(stateChangeLimit, 'user:slides-other');
  // Sixty-five minutes after the first, so one is free.
  expect((await take()).headersOf()['RateLimit']).toBe('"stateChange";r=0;t=300');
  await expect(take()).rejects.toMatchObject({ code: 'RATE_LIMITED', headers: { 'Retry-After': '300' } });
  context.clock.advance(300);
  await take();
  const two = await Promise.allSettled([take(), take()]);
  expect(two.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('An approximate limit is counted in memory, and the next window starts at zero', async () => {
  const limiter = createRateLimiter(context);
  const take = (value = 'user:1') => limiter.take(generalLimit, value);
  for (let i = 0; i < generalLimit.points; i += 1) await take();
  await expect(take()).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    headers: { 'Retry-After': expect.stringMatching(/^\d+$/), 'RateLimit-Policy': '"general";q=120;w=60' },
  });
  expect((await take('user:2')).left).toBeCloseTo(119 / 120);
  context.clock.advance(60);
  await take();
});

const outcomes: readonly Limit[] = (['all', 'failures', 'successes'] as const).map((counts) => ({
  name: `by-${counts}`,
  points: 1,
  perSeconds: 3_600,
  by: 'ip',
  counts,
}));

test.each(outcomes)(
  'A limit of $counts counts only those, and a refunded point returns to its own window',
  async (limit) => {
    const limiter = createRateLimiter(context);
    const tried = async (succeeds: boolean): Promise<string> => {
      const work = async () => {
        if (!succeeds) throw new Error('failed');
        return 'done';
      };
      return limiter
        .limited([[limit, 'ip:1']], work)
        .catch((error: Error & { code?: string }) => error.code ?? error.message);
    };
    const free =
      limit.counts === 'failures'
        ? ['done', 'done']
        : limit.counts === 'successes'
          ? ['failed', 'failed']
          : [];
    for (const expected of free) expect(await tried(expected === 'done')).toBe(expected);
    const counted = limit.counts !== 'failures';
    expect(await tried(counted)).toBe(counted ? 'done' : 'failed');
    expect(await tried(counted)).toBe('RATE_LIMITED');
    context.clock.advance(3_600);
    const { adjust } = await limiter.take(limit, 'ip:2');
    context.clock.advance(3_600);
    await adjust(limit.counts === 'failures');
    await limiter.take(limit, 'ip:2');
    await expect(limiter.take(limit, 'ip:2')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  },
);

test('A point that cannot be refunded causes no failure', async () => {
  const gone = await testContext();
  const [, failures] = outcomes;
  const { adjust } = await createRateLimiter(gone).take(failures as Limit, 'ip:1');
  await gone.close();
  await expect(adjust(true)).resolves.toBeUndefined();
});

const { queries, actions, webhooks } = await loadRegistries();
const declared = [queries, actions, webhooks].flatMap(({ operations }) =>
  operations.flatMap(({ limits = [] }) => limits),
);
/** Limits of pages and of all calls, parsed from the source, since only operations declare theirs. */
const folder = join(import.meta.dirname, '../../apps/api');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(folder, file), 'utf8'));
const written = sources.flatMap((source) =>
  [...source.matchAll(/\{\s*name: '(\w+)',\s*points: ([\d_]+),[^}]*\}/g)].map(
    ([text, name = '', points = '']): Limit => {
      const counts = /counts: '(failures|successes)'/.exec(text)?.[1] as 'failures' | 'successes' | undefined;
      return {
        name,
        points: Number(points.replaceAll('_', '')),
        perSeconds: Number(/perSeconds: ([\d_]+)/.exec(text)?.[1]?.replaceAll('_', '') ?? 3_600),
        by: 'user',
        isApproximate: text.includes('isApproximate: true'),
        isSliding: text.includes('isSliding: true'),
        ...(counts ? { counts } : {}),
      };
    },
  ),
);
const minutes = sources.flatMap((source) =>
  [...source.matchAll(/\bperMinute\('?(\w+)'?, ([\d_]+),/g)].map(([, name = '', points = '']) =>
    perMinute(name, Number(points.replaceAll('_', '')), 'user'),
  ),
);
const everyLimit = [
  ...new Map(
    [...written, ...minutes, ...declared, emailLinkLimit].map((limit) => [
      `${limit.name} ${limit.isApproximate === true}`,
      limit,
    ]),
  ).values(),
];

test('Every limit defined anywhere is among the tested ones', () => {
  const timesOf = (text: RegExp) => sources.reduce((sum, source) => sum + source.split(text).length - 1, 0);
  expect(written.length).toBe(timesOf(/\bpoints: [\d_]+,/));
  expect(minutes.length).toBe(timesOf(/\bperMinute\(/));
  expect(everyLimit.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'address',
      'consoleSignIn',
      'devicePage',
      'documents',
      'shareGuess',
      'emailLink',
    ]),
  );
});

test.each(everyLimit)('Simultaneous calls never exceed what $name declares', async (limit) => {
  // As many simultaneous calls as make sense; the declared limit does not depend on it.
  const few = { ...limit, points: Math.min(limit.points, 20) };
  const limiter = createRateLimiter(context);
  const calls = few.points + 15;
  const decided = Promise.withResolvers<void>();
  let [passed, refused] = [0, 0];
  const decide = () => {
    if (passed + refused === calls) decided.resolve();
  };
  const work = async () => {
    passed += 1;
    decide();
    // Nothing is given back before all have been judged.
    await decided.promise;
    if (few.counts === 'failures') throw new Error('a wrong guess');
  };
  await Promise.allSettled(
    Array.from({ length: calls }, () =>
      limiter.limited([[few, 'user:property']], work).catch((error: unknown) => {
        if (isRefusal(error)) refused += 1;
        decide();
      }),
    ),
  );
  expect([passed, refused]).toEqual([few.points, 15]);
});

test('Our own limits scale, those in the specification do not', async () => {
  const scaled = await testContext({ databaseUrl: context.databaseUrl, env: { RATE_LIMIT_SCALE: '10' } });
  const limiter = createRateLimiter(scaled);
  const policyOf = async (limit: Limit) =>
    (await limiter.take(limit, 'user:9')).headersOf()['RateLimit-Policy'];
  expect(await policyOf(generalLimit)).toBe('"general";q=1200;w=60');
  expect(await policyOf(stateChangeLimit)).toBe('"stateChange";q=5;w=3600');
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
