/**
 * Time from `npm start` to the ready line, in an empty folder and again in the same one; and the time of a
 * stop.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startService } from '../support/process.ts';
import { median } from './support/servers.ts';

const script = resolve(import.meta.dirname, '../../apps/main.cjs');
const rounds = 3;

export const run = async (): Promise<void> => {
  const times: Record<'first' | 'later' | 'stop', number[]> = { first: [], later: [], stop: [] };
  for (let round = 0; round < rounds; round += 1) {
    const folder = await mkdtemp(join(tmpdir(), 'efb-start-'));
    // As root the database runs under a separate account, which must be able to traverse this folder.
    await chmod(folder, 0o755);
    for (const kind of ['first', 'later'] as const) {
      const started = performance.now();
      const service = startService(script, { DATA_DIR: join(folder, 'data'), SOURCES: 'simulated' });
      await service.ready();
      times[kind].push(performance.now() - started);
      const stopping = performance.now();
      process.kill(service.pid, 'SIGTERM');
      await service.exit;
      times.stop.push(performance.now() - stopping);
    }
    await rm(folder, { recursive: true, force: true });
  }
  const seconds = (values: readonly number[]) => `${(median(values) / 1000).toFixed(1)} s`;
  console.log(
    `  first start ${seconds(times.first)} (bar 15), later ${seconds(times.later)} (bar 5), stop ${seconds(times.stop)} (bar 10)`,
  );
};
