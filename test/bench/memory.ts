/**
 * Memory of the whole embedded service at rest: PSS of every process after `BENCH_REST_SECONDS` (default 180) from the ready line of a
 * first start. Linux only.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readRunning } from '#platform/embedded/running.ts';
import { startService } from '../support/process.ts';
import { createJudge } from './support/judge.ts';
import { familyOf, pssMb } from './support/memory.ts';
import type { Process } from './support/memory.ts';

const script = resolve(import.meta.dirname, '../../apps/main.cjs');
const barMb = { node: 450, together: 550 };
const longestSeconds = 3_600;

const restSeconds = (): number => {
  const seconds = Number(process.env.BENCH_REST_SECONDS ?? 180);
  if (!(seconds >= 0 && seconds <= longestSeconds))
    throw new Error(`BENCH_REST_SECONDS: must be a number from 0 to ${longestSeconds}`);
  return seconds;
};

const nameOf = ({ pid, command }: Process, api: number, jobs: number | null | undefined) => {
  if (pid === api) return 'api';
  if (pid === jobs) return 'jobs';
  return command.includes('postgres') ? 'postgres' : command.slice(0, 30);
};

export const run = async (): Promise<void> => {
  const judge = createJudge('memory');
  const rest = restSeconds();
  const folder = await mkdtemp(join(tmpdir(), 'efb-memory-'));
  // As root the database runs under a separate account, which must be able to traverse this folder.
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'data');
  const service = startService(script, { DATA_DIR: dataDir, SOURCES: 'simulated' });
  try {
    await service.ready();
    await sleep(rest * 1_000);
    const jobs = readRunning(dataDir)?.jobsPid;
    const sums = new Map<string, { count: number; mb: number }>();
    for (const member of await familyOf(service.pid)) {
      const name = nameOf(member, service.pid, jobs);
      const { count, mb } = sums.get(name) ?? { count: 0, mb: 0 };
      sums.set(name, { count: count + 1, mb: mb + (await pssMb(member.pid)) });
    }
    for (const [name, { count, mb }] of sums)
      console.log(`  ${name.padEnd(12)} ${mb.toFixed(0).padStart(5)} MB PSS, ${count} processes`);
    const together = [...sums.values()].reduce((sum, { mb }) => sum + mb, 0);
    const node = together - (sums.get('postgres')?.mb ?? 0);
    judge.report(
      `Node ${node.toFixed(0)} MB PSS, ${rest} s after the ready line (bar ${barMb.node})`,
      node <= barMb.node,
    );
    judge.report(
      `with Postgres ${together.toFixed(0)} MB PSS (bar ${barMb.together})`,
      together <= barMb.together,
    );
    judge.end();
  } finally {
    process.kill(service.pid, 'SIGTERM');
    await service.exit;
    await rm(folder, { recursive: true, force: true });
  }
};
