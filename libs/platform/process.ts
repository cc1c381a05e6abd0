import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import type { Config } from './config/config.ts';
import { readConfig, variableTypos } from './config/config.ts';
import { OperatorError } from './errors.ts';
import { startTracing } from './tracing/start.ts';
import type { Tracing } from './tracing/start.ts';

/** On Ctrl-C the process gets the signal from the terminal and again from npm, within this time. */
const sameSignalMs = 500;

/** The first SIGTERM, SIGINT or SIGHUP starts an orderly stop, a later one exits at once. */
export const onStopSignals = (stop: () => void, endNow: () => void): void => {
  let firstAt: number | undefined;
  const heard = () => {
    if (firstAt === undefined) {
      firstAt = performance.now();
      stop();
    } else if (performance.now() - firstAt > sameSignalMs) endNow();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, heard);
};

export type Application = 'api' | 'workers' | 'scheduler' | 'jobs' | 'ops' | 'test';

/** A parent reports readiness; a tier running alone does so itself. */
export const readyLevel = (): 'debug' | 'info' => (process.send ? 'debug' : 'info');

export interface Stoppable {
  stop: () => Promise<void>;
}

export type Variables = Record<string, string | undefined>;

/** Waits for the environment variables that the parent sends. */
export const variablesOfParent = async (): Promise<Variables> => {
  const [variables] = (await once(process, 'message')) as [Variables];
  return variables;
};

const flushAfterMs = 2_000;
/** An orphaned process has this long to stop, since the next start needs its port and database. */
const orphanLimitMs = 1_500;

/**
 * Runs an app as a process: reads the configuration, starts, reports readiness to its parent, and stops on SIGTERM,
 * SIGINT or when the parent is gone. A second signal exits immediately.
 */
export const runProcess = async <Running extends Stoppable>(
  name: Application,
  start: (config: Config) => Promise<Running>,
  {
    read = readConfig,
    details = () => ({}),
  }: { read?: () => Config; details?: (running: Running) => Record<string, unknown> } = {},
): Promise<void> => {
  let running: Running | undefined;
  let tracing: Tracing | null = null;
  const end = () => {
    const ending = running;
    if (!ending) process.exit(1);
    running = undefined;
    ending
      .stop()
      .then(() => tracing?.close())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
  };
  process.on('disconnect', () => {
    setTimeout(() => process.exit(1), orphanLimitMs).unref();
    end();
  });
  // Registered before the start, since the process may be stopped as soon as it reports readiness.
  onStopSignals(end, () => process.exit(1));
  // The parent exited while the modules were loading.
  if (process.send && !process.connected) process.exit(1);
  // The parent process has already warned about them.
  if (!process.send) for (const sentence of variableTypos()) console.warn(sentence);
  try {
    const config = read();
    tracing = await startTracing(config, name);
    running = await start(config);
  } catch (error) {
    console.error(error instanceof OperatorError ? error.message : error);
    process.exit(1);
  }
  process.send?.({ ready: true, ...details(running) });
  // Caches compiled code for later starts; doing so at exit would delay the stop by seconds.
  setTimeout(flushCompileCache, flushAfterMs).unref();
};
