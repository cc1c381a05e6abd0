import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase, testClock } from './harness.ts';

const names = async (url: string) => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ code: string }>('SELECT code FROM product ORDER BY code');
  await client.query("DELETE FROM product WHERE code = 'EFB_PREVIEW'");
  await client.end();
  return rows.map((row) => row.code);
};

test('Two clones are migrated and independent of each other', async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  expect(await names(one.url)).toContain('EFB_PREVIEW');
  expect(await names(two.url)).toContain('EFB_PREVIEW');
  await Promise.all([one.drop(), two.drop()]);
  await expect(names(one.url)).rejects.toThrow(/does not exist/);
});

test('The clock stands still until it is set or advanced', () => {
  const clock = testClock('2026-01-01T00:00:00Z');
  clock.advance(90);
  expect(clock.now().toISOString()).toBe('2026-01-01T00:01:30.000Z');
  clock.set('2026-02-01T00:00:00Z');
  expect(clock.now().toISOString()).toBe('2026-02-01T00:00:00.000Z');
});
