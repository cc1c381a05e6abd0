/** How long the service takes to shut down: idle, under load, and when its first process is killed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '#test/support/until.ts';
import { below } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import { startWork } from './clients.ts';
import { startFaultService } from './service.ts';

/** Long enough for the first runs of the feeds. */
const settleMs = 15_000;
const loadMs = 3_000;

const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

const isRefused = async (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`).then(
    () => false,
    () => true,
  );

export const shutdown = async (): Promise<Row[]> => {
  const rows: Row[] = [];
  const idle = await startFaultService();
  await sleep(settleMs);
  rows.push(below('shutdown: idle, SIGTERM to the end', await timeOf(idle.close), 3_000, 'ms'));

  const busy = await startFaultService();
  const work = startWork(busy);
  await sleep(loadMs);
  const ended = timeOf(busy.close);
  await ended;
  await work.stop();
  rows.push(below('shutdown: under load, SIGTERM to the end', await ended, 10_000, 'ms'));

  const orphaned = await startFaultService();
  const goneMs = await timeOf(async () => {
    process.kill(orphaned.running().pid, 'SIGKILL');
    await until('the API is gone', () => isRefused(orphaned.url));
  });
  await orphaned.close();
  rows.push(below('shutdown: API killed, jobs gone', goneMs, 2_000, 'ms'));
  return rows;
};
