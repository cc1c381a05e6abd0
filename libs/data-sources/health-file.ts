import { rm, writeFile } from 'node:fs/promises';
import type { Context } from './context.ts';
import { databaseReadiness } from './readiness.ts';

const beatMs = 5_000;
const checkLimitMs = 2_500;

/**
 * Touches `HEALTH_FILE` every 5 s while the database is usable, for health checks of processes without a port. A
 * blocked event loop stops the touching too. Does nothing without the variable. Returns what removes the file, when the
 * process stops.
 */
export const startHealthFile = async (
  context: Pick<Context, 'config' | 'schema' | 'postgres' | 'log'>,
  everyMs = beatMs,
): Promise<() => Promise<void>> => {
  const { log } = context;
  const path = context.config.HEALTH_FILE;
  if (path === undefined) return () => Promise.resolve();
  let isHealthy = true;
  let stopped = false;
  const beat = async () => {
    try {
      const { ready, checks } = await databaseReadiness(context, checkLimitMs);
      if (stopped) return;
      if (ready) await writeFile(path, `${new Date().toISOString()}\n`);
      if (ready !== isHealthy) log[ready ? 'info' : 'warn'](checks, ready ? 'healthy again' : 'not healthy');
      isHealthy = ready;
    } catch (error) {
      if (isHealthy) log.warn({ err: error }, 'not healthy');
      isHealthy = false;
    }
  };
  let beating = beat();
  await beating;
  const timer = setInterval(() => {
    beating = beating.then(beat);
  }, everyMs);
  timer.unref();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await beating;
    await rm(path, { force: true });
  };
};
