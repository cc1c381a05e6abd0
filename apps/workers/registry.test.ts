import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JobContract } from '#domain/jobs/port.ts';
import { loadFolder } from '#platform/load-folder.ts';
import { redisLanes } from '#store/queue/queues.ts';
import { testFolder } from '#test/harness.ts';
import { loadWorkerJobs } from './registry.ts';

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
