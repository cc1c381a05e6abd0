import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bareEnvironment } from './process.ts';

export interface WorkerProcess {
  pid: number;
  kill: (signal: NodeJS.Signals) => Promise<void>;
}

const readyIn = async (child: ChildProcess, limitMs: number): Promise<void> => {
  const limit = AbortSignal.timeout(limitMs);
  const ended = once(child, 'exit').then(([code]: unknown[]) => {
    throw new Error(`the worker ended with ${String(code)} before it was ready`);
  });
  await Promise.race([once(child, 'message', { signal: limit }), ended]);
};

/** Starts a real process with this script, by default a worker, like the supervisor. Resolves when it is ready. */
export const startWorker = async (
  env: Record<string, string>,
  script = 'apps/workers/main.ts',
  /** Receives its log. */
  output?: (text: string) => void,
): Promise<WorkerProcess> => {
  const child = fork(join(import.meta.dirname, '../..', script), [], {
    env: {
      ...bareEnvironment(),
      DATABASE_WAIT_SECONDS: '30',
      ...env,
    },
    stdio: ['ignore', output ? 'pipe' : 'ignore', 'inherit', 'ipc'],
  });
  child.stdout?.on('data', (chunk) => output?.(String(chunk)));
  await readyIn(child, 240_000);
  return {
    pid: child.pid ?? 0,
    kill: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    },
  };
};
