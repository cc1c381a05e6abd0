import { rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from './context.ts';
import { sql } from './postgres/sql.ts';

export interface HealthFile {
  /** Removes the file: the process is stopping. */
  stop: () => Promise<void>;
}

const beatMs = 5_000;
const checkLimitMs = 2_500;

/**
 * Touches `HEALTH_FILE` every 5 s while the database answers, for health checks of processes without a port. A blocked
 * event loop does not touch it either. Does nothing without the variable.
 */
export const startHealthFile = async (
  { config, postgres, log }: Pick<Context, 'config' | 'postgres' | 'log'>,
  everyMs = beatMs,
): Promise<HealthFile> => {
  const path = config.HEALTH_FILE;
  if (path === undefined) return { stop: () => Promise.resolve() };
  let isHealthy = true;
  let stopped = false;
  const check = async () => {
    const late = sleep(checkLimitMs, null, { ref: false }).then(() => {
      throw new Error(`the database did not answer in ${checkLimitMs} ms`);
    });
    await Promise.race([postgres.db.one(sql`SELECT 1 AS one`), late]);
  };
  const beat = async () => {
    try {
      await check();
      if (stopped) return;
      await writeFile(path, `${new Date().toISOString()}\n`);
      if (!isHealthy) log.info('healthy again');
      isHealthy = true;
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
  return {
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await beating;
      await rm(path, { force: true });
    },
  };
};
