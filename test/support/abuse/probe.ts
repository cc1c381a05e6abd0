import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Probed {
  probes: number;
  failures: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** Requests `/healthz` every 20 ms from a separate process while `work` runs. */
export const probeDuring = async <T>(
  url: string,
  work: () => Promise<T>,
): Promise<Probed & { result: T }> => {
  const child = fork(join(import.meta.dirname, 'probe-process.ts'), [`${url}/healthz`, '20']);
  try {
    await once(child, 'message');
    const result = await work();
    const answered = once(child, 'message');
    child.send('stop');
    const [{ latenciesMs, failures }] = (await answered) as [{ latenciesMs: number[]; failures: number }];
    const sorted = latenciesMs.toSorted((a, b) => a - b);
    return {
      result,
      probes: sorted.length,
      failures,
      p50Ms: at(sorted, 0.5),
      p99Ms: at(sorted, 0.99),
      maxMs: at(sorted, 1),
    };
  } finally {
    if (child.exitCode === null) child.kill('SIGKILL');
  }
};
