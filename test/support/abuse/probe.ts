import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface Probed {
  probes: number;
  failures: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** Asks for `/healthz` every 20 ms while `work` runs. */
export const probeDuring = async <T>(
  url: string,
  work: () => Promise<T>,
): Promise<Probed & { result: T }> => {
  const thread = new Worker(new URL('probe-thread.ts', import.meta.url), {
    workerData: { url: `${url}/healthz`, everyMs: 20 },
  });
  await once(thread, 'message');
  try {
    const result = await work();
    const answered = once(thread, 'message');
    thread.postMessage('stop');
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
    await thread.terminate();
  }
};
