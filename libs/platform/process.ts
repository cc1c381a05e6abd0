import { flushCompileCache } from 'node:module';
import { variableTypos } from './config/typos.ts';
import { readConfig } from './config/config.ts';
import type { Config } from './config/config.ts';
import { startTracing } from './tracing/tracing.ts';
import type { Tracing } from './tracing/tracing.ts';
import { collectAtRest } from './rest.ts';
import { OperatorError } from './operator-error.ts';
import { onStopSignals } from './stop-signals.ts';

export type Application = 'api' | 'workers' | 'scheduler' | 'ops' | 'test';

export interface StopReason {
  /** The supervisor is gone: no pauses. */
  isOrphan?: boolean;
}

/** The supervisor reports that all is ready; a tier that runs on its own does so itself. */
export const readyLevel = (): 'debug' | 'info' => (process.send ? 'debug' : 'info');

export interface Stoppable {
  stop: (reason?: StopReason) => Promise<void>;
}

const flushAfterMs = 2_000;

/**
 * Runs one app as a process: reads the configuration, starts, reports to a supervisor that it is ready, and
 * stops once on SIGTERM, SIGINT or when the supervisor is gone. A second signal ends it immediately.
 */
export const runProcess = async <Running extends Stoppable>(
  name: Application,
  start: (config: Config) => Promise<Running>,
  readyDetails: (running: Running) => Record<string, unknown> = () => ({}),
): Promise<void> => {
  let running: Running;
  let tracing: Tracing | null = null;
  // A supervisor has already said so.
  if (!process.send) for (const sentence of variableTypos()) console.warn(sentence);
  try {
    const config = readConfig();
    tracing = await startTracing(config, name);
    running = await start(config);
  } catch (error) {
    console.error(error instanceof OperatorError ? error.message : error);
    process.exit(1);
  }
  process.send?.({ ready: true, ...readyDetails(running) });
  // Compiled code is cached for later starts here; doing so at exit would delay the stop by seconds.
  setTimeout(flushCompileCache, flushAfterMs).unref();
  collectAtRest();
  let stopping = false;
  const end = (reason: StopReason) => {
    if (stopping) process.exit(1);
    stopping = true;
    running
      .stop(reason)
      .then(() => tracing?.close())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
  };
  onStopSignals(
    () => end({}),
    () => process.exit(1),
  );
  process.on('disconnect', () => end({ isOrphan: true }));
};
