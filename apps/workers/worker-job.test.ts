import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JobContract } from '#domain/jobs/port.ts';
import { loadFolder } from '#platform/load-folder.ts';
import { sql } from '#store/postgres/sql.ts';
import { redisLanes } from '#store/queue/queues.ts';
import { addSeconds } from '#domain/time.ts';
import { testContext, testFolder } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { cronJob, enqueueSlot, loadWorkerJobs } from './worker-job.ts';
import sweepGraphics from './jobs/sweep-graphics.ts';

let t: TestContext;
beforeAll(async () => {
  t = await testContext();
});
afterAll(() => t.close());

test('A sweep with four runs a minute is queued once per quarter of a minute, even by two workers', async () => {
  const { contract, cron } = sweepGraphics;
  const slot = { at: new Date('2026-09-16T12:00:00Z'), round: 0 };
  const everySeconds = cron?.everySeconds ?? 60;
  const enqueue = () => t.postgres.transaction((tx) => enqueueSlot(t, tx, { contract, everySeconds, slot }));
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

test('A late check, even by hours, runs the missed runs once', async () => {
  const { contract, cron } = sweepGraphics;
  const everySeconds = cron?.everySeconds ?? 60;
  const slotsAfter = async (seconds: number, round: number): Promise<string[]> => {
    const slot = { at: addSeconds(t.clock.now(), -seconds), round };
    await t.postgres.transaction((tx) => enqueueSlot(t, tx, { contract, everySeconds, slot }));
    const jobs = await t.postgres.transaction((tx) =>
      tx.any<{ second: string }>(sql`
        DELETE FROM pgboss.job WHERE name = ${contract.name}
        RETURNING to_char((data ->> 'slot')::timestamptz - ${slot.at}::timestamptz, 'SS') AS second`),
    );
    return jobs.map(({ second }) => second).toSorted();
  };
  // Processes what the test above left behind.
  await slotsAfter(0, 1);
  expect(await slotsAfter(20, 1)).toEqual(['15', '30', '45']);
  expect(await slotsAfter(50, 2)).toEqual(['45']);
  expect(await slotsAfter(7_200, 3)).toEqual(['45']);
});

test('A job with an invalid schedule, or one that never comes due, cannot be declared', () => {
  const declare = (cron: string) => () => cronJob({ name: 'x', cron, timeoutSeconds: 1 }, async () => {});
  expect(declare('* * * *')).toThrow('not a five-field schedule: "* * * *"');
  expect(declare('61 * * * *')).toThrow('not a schedule: "61 * * * *"');
  expect(declare('0 0 30 2 *')).toThrow('not a schedule: "0 0 30 2 *"');
  expect(declare('5 * * * *')).not.toThrow();
});

const isContract = (value: unknown): value is JobContract =>
  typeof value === 'object' && value !== null && 'lane' in value && 'payload' in value;

const contracts = async (): Promise<JobContract[]> =>
  (await loadFolder(join(import.meta.dirname, '../../libs/domain/jobs'))).flatMap(({ module }) =>
    Object.values(module).filter(isContract),
  );

test('Every contract has one handler, feed runs theirs in the scheduler, and every job without a contract has a schedule', async () => {
  const jobs = await loadWorkerJobs();
  const shared = jobs.filter(({ cron }) => !cron).map(({ contract }) => contract.name);
  const known = (await contracts()).map(({ name }) => name);
  expect([...shared, 'feed.run'].toSorted()).toEqual(known.toSorted());
  const names = jobs.map(({ contract }) => contract.name);
  expect(names).toEqual([...new Set(names)]);
});

test('A job that Redis may lose is requeued in time', async () => {
  const onRedis = (await contracts()).filter(({ lane }) => redisLanes.has(lane));
  expect(onRedis.map(({ name }) => name)).toEqual(['graphic.render']);
  // The first sweep after `lostAfterSeconds` finds it: within 20 s, so that it is queued again within 30.
  for (const { name, requeue: { everySeconds = NaN, lostAfterSeconds = NaN } = {} } of onRedis)
    expect([name, everySeconds + lostAfterSeconds <= 20]).toEqual([name, true]);
});

test('A job whose name differs from its file is refused', async () => {
  const folder = await testFolder();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'a-one.ts'), "export default { bind: 1, contract: { name: 'a.two' } };");
  await expect(loadWorkerJobs(folder)).rejects.toThrow('jobs/a-one.ts must default-export the job a.one');
});
