import { flushCompileCache } from 'node:module';
import type { Config } from './config/config.ts';
import { readConfig, variableTypos } from './config/config.ts';
import { OperatorError } from './operator-error.ts';
import { startTracing } from './tracing/start.ts';
import type { Tracing } from './tracing/start.ts';

/** npm passes on a Ctrl-C that the terminal has already sent to the process: both come within this time. */
const sameSignalMs = 500;

/** The first SIGTERM, SIGINT or SIGHUP begins a stop in order, a later one ends it at once. */
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

/** A parent reports that all is ready; a tier that runs on its own does so itself. */
export const readyLevel = (): 'debug' | 'info' => (process.send ? 'debug' : 'info');

export interface Stoppable {
  stop: () => Promise<void>;
}

const flushAfterMs = 2_000;
/** A process without its parent has this long to stop in order: the next start wants the port and the database. */
const orphanLimitMs = 1_500;

/**
 * Runs one app as a process: reads the configuration, starts, reports to its parent that it is ready, and
 * stops once on SIGTERM, SIGINT or when the parent is gone. A second signal ends it immediately.
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
  // Before the start, whose last line says that it is ready: it may be stopped from then on.
  onStopSignals(end, () => process.exit(1));
  // It went while the modules were loaded.
  if (process.send && !process.connected) process.exit(1);
  // A parent has already said so.
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
  // Compiled code is cached for later starts here; doing so at exit would delay the stop by seconds.
  setTimeout(flushCompileCache, flushAfterMs).unref();
};
