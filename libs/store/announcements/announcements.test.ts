import { describe, expect, test } from 'vitest';
import { testContext } from '#test/harness.ts';
import { until } from '#test/support/until.ts';

/** Two processes on one database: `there` receives each announcement committed by `here` once. */
const expectHeardOnce = async (env: Record<string, string>): Promise<void> => {
  await using here = await testContext({ env });
  await using there = await testContext({ env, databaseUrl: here.databaseUrl });
  const heard = { here: [] as string[], there: [] as string[] };
  here.announcements.on('picture', (id) => heard.here.push(id));
  there.announcements.on('picture', (id) => heard.there.push(id));
  const announce = (id: string) =>
    here.postgres.transaction((tx) => Promise.resolve(tx.announce({ topic: 'picture', id })));
  let probes = 0;
  await until('they hear each other', async () => {
    probes += 1;
    await announce(`probe${probes}`);
    return heard.there.length > 0;
  });
  const before = heard.here.length;

  const failed = here.postgres.transaction((tx) => {
    tx.announce({ topic: 'picture', id: 'never' });
    return Promise.reject(new Error('no'));
  });
  await expect(failed).rejects.toThrow('no');
  // In portions, since an announcement that waits too long for a connection is dropped.
  for (let n = 0; n < 250; n += 25)
    await Promise.all(Array.from({ length: 25 }, (_, i) => announce(`p${n + i}`)));
  // Its own process is notified at once.
  expect(new Set(heard.here.slice(before)).size).toBe(250);
  // They commit and arrive in any order.
  const portions = () => heard.there.filter((id) => /^p\d/.test(id));
  await until('all are heard', () => new Set(portions()).size === 250);
  await announce('last');
  await until('the last one is heard', () => heard.there.includes('last'));
  // A later announcement arrives last, so none has been received twice.
  expect(portions().length).toBe(250);
  expect([...heard.here, ...heard.there]).not.toContain('never');
};

describe('announcements', () => {
  test('A committed announcement reaches other processes once, a rolled-back one never', async () => {
    await expectHeardOnce({});
  });
});
