import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Logger } from 'pino';

const root = join(import.meta.dirname, '../..');
const guard = pathToFileURL(join(import.meta.dirname, 'child-guard.ts')).href;

export interface ManagedChild {
  readonly name: string;
  pid: () => number | null;
  /** The current process has reported that it is ready. */
  isReady: () => boolean;
  /** Resolves at the first `ready` of the child; rejects when it fails to start three times. */
  readonly ready: Promise<void>;
  /** SIGTERM, then SIGKILL to its group after the limit. Resolves when it has ended. */
  stop: (limitMs: number) => Promise<void>;
  /** Replaces the process by a new one, which reads the files again. */
  restart: () => void;
  /** SIGKILL to its group, for good. */
  kill: () => void;
}

export interface ChildOptions {
  name: string;
  /** Script, relative to the project's folder. */
  script: string;
  env: NodeJS.ProcessEnv;
  log: Logger;
  /** Called whenever the process id or the readiness changes. */
  onChange: () => void;
}

const isReady = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'ready' in message && message.ready === true;

const killGroup = (child: ChildProcess, signal: NodeJS.Signals) => {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
};

/** Of a process whose files were edited. */
const replaceLimitMs = 2_000;
const firstGapMs = 200;
/** A process that became ready can start: its work should not wait long, even after several kills in a row. */
const longestGapAfterReadyMs = 1_000;
const longestGapAfterFailedStartMs = 10_000;

/** Keeps one process running. The gaps before its restarts double while it keeps ending within 10 s. */
export const startChild = ({ name, script, env, log, onChange }: ChildOptions): ManagedChild => {
  let child: ChildProcess | undefined;
  let restart: NodeJS.Timeout | undefined;
  let stopping = false;
  let failures = 0;
  let everReady = false;
  let readyNow = false;
  let replacing = false;
  const ready = Promise.withResolvers<void>();

  const launch = () => {
    const startedAt = performance.now();
    // Its own process group: Ctrl-C reaches the supervisor alone, which then stops the children in order.
    const started = fork(resolve(root, script), [], {
      cwd: root,
      env,
      detached: true,
      execArgv: ['--import', guard],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child = started;
    onChange();
    started.on('message', (message) => {
      if (!isReady(message)) return;
      everReady = true;
      readyNow = true;
      ready.resolve();
      onChange();
    });
    started.on('error', (error) => log.error({ err: error, child: name }, 'child process error'));
    started.on('exit', (code, signal) => {
      killGroup(started, 'SIGKILL');
      const wasReady = readyNow;
      readyNow = false;
      if (stopping) return;
      if (replacing) {
        replacing = false;
        failures = 0;
        launch();
        return;
      }
      failures = performance.now() - startedAt > 10_000 ? 1 : failures + 1;
      const longestGapMs = wasReady ? longestGapAfterReadyMs : longestGapAfterFailedStartMs;
      if (!everReady && failures >= 3) {
        ready.reject(
          new Error(`${name} does not start (${signal ?? `exit code ${code}`}); see its messages above.`),
        );
        return;
      }
      const gapMs = Math.min(firstGapMs * 2 ** (failures - 1), longestGapMs);
      log.warn({ child: name, code, signal, gapMs }, 'child process ended, restarting');
      onChange();
      restart = setTimeout(launch, gapMs);
    });
  };

  const stop = async (limitMs: number) => {
    stopping = true;
    clearTimeout(restart);
    const running = child;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGTERM');
    const late = setTimeout(() => {
      log.warn({ child: name }, 'child process did not stop in time, killed');
      killGroup(running, 'SIGKILL');
    }, limitMs);
    await ended;
    clearTimeout(late);
  };

  const restartNow = () => {
    clearTimeout(restart);
    if (!child || child.exitCode !== null || child.signalCode !== null) {
      failures = 0;
      launch();
      return;
    }
    if (replacing) return;
    replacing = true;
    const replaced = child;
    replaced.kill('SIGTERM');
    const late = setTimeout(() => killGroup(replaced, 'SIGKILL'), replaceLimitMs);
    replaced.once('exit', () => clearTimeout(late));
  };

  launch();
  return {
    name,
    pid: () => (child && child.exitCode === null && child.signalCode === null ? (child.pid ?? null) : null),
    isReady: () => readyNow,
    ready: ready.promise,
    stop,
    restart: restartNow,
    kill: () => {
      stopping = true;
      clearTimeout(restart);
      if (child) killGroup(child, 'SIGKILL');
    },
  };
};
