import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#data/postgres/sql.ts';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { enqueueSlot } from './cron.ts';
import sweepGraphics from './jobs/sweep-graphics.ts';

let t: TestContext;
beforeAll(async () => {
  t = await testContext();
});
afterAll(() => t.close());

test('A sweep that runs four times a minute is enqueued once per quarter, even by two workers', async () => {
  const { contract, cron } = sweepGraphics;
  const enqueue = () => enqueueSlot(t, contract, cron?.atSeconds ?? [], tick);
  const tick = new Date('2026-09-16T12:00:00Z');
  await Promise.all([enqueue(), enqueue()]);
  const jobs = await t.postgres.db.any<{ slot: string; delay: number }>(sql`
    SELECT data ->> 'slot' AS slot, round(extract(epoch FROM start_after - created_on))::int AS delay
    FROM pgboss.job WHERE name = ${contract.name} ORDER BY start_after`);
  expect(jobs).toEqual(
    [0, 15, 30, 45].map((delay) => ({
      slot: `2026-09-16T12:00:${String(delay).padStart(2, '0')}.000Z`,
      delay,
    })),
  );
});
