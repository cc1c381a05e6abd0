import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Logger } from 'pino';
import { codeOf } from '#domain/errors.ts';
import { OperatorError } from '#platform/errors.ts';
import type { Variables } from '#platform/process.ts';

const pauseMs = 500;
const attempts = 3;

const killGroup = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
};

/**
 * Runs a script as a child process and restarts it when it ends. The child loads its modules while it waits for `variables`.
 * `onReady` gets its process id whenever it becomes ready, and null when it ends.
 */
export const startChild = (
  script: string,
  variables: Promise<Variables>,
  log: Logger,
  onReady: (pid: number | null) => void,
) => {
  const ready = Promise.withResolvers<void>();
  // Prevents an unhandled rejection if it fails before anybody awaits it; whoever awaits it later still gets the error.
  ready.promise.catch(() => undefined);
  let isStopping = false;
  let failures = 0;

  const launch = (): ChildProcess => {
    // A process group of its own: Ctrl-C in the terminal reaches only the parent, which stops the child in order.
    const started = fork(script, [], {
      // Favours memory over speed; otherwise V8 keeps the heap of a large file for minutes.
      execArgv: ['--optimize-for-size'],
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    started.on('message', (message) => {
      if (typeof message === 'object' && message !== null && 'ready' in message) {
        ready.resolve();
        onReady(started.pid ?? null);
      } else process.send?.(message); // For `node --watch`: the modules of the child that it must watch, too.
    });
    void variables.then((known) => started.connected && started.send(known));
    started.on('error', (error) => log.error({ err: error, script }, 'child process error'));
    started.on('exit', (code, signal) => {
      killGroup(started);
      if (isStopping) return;
      onReady(null);
      failures += 1;
      if (failures >= attempts)
        ready.reject(
          new OperatorError(
            `${script} does not start (${signal ?? `exit code ${code}`}); see its messages above.`,
          ),
        );
      log.warn({ script, code, signal }, 'child process ended, restarting');
      setTimeout(() => {
        if (!isStopping) child = launch();
      }, pauseMs);
    });
    return started;
  };
  let child = launch();

  return {
    /** Resolves when the process is first ready; rejects after three failed starts. */
    ready: ready.promise,
    /** Sends SIGTERM, then SIGKILL to its process group after the limit. Resolves when the process has ended. */
    stop: async (limitMs: number): Promise<void> => {
      isStopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const late = setTimeout(() => {
        log.warn({ script }, 'child process did not stop in time, killed');
        killGroup(child);
      }, limitMs);
      await ended;
      clearTimeout(late);
    },
  };
};
