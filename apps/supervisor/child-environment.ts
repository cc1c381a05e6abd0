/** The variables of the children of a supervisor. */
import { join } from 'node:path';
import { addressOf } from '#platform/config/config.ts';
import type { Config } from '#platform/config/config.ts';

export type Environment = Record<string, string | undefined>;

/** Each child has its metrics on a port: `METRICS_PORT` and those after it, in the order of their start; 0 is any free one. */
export const metricsPortOf = (first: number | undefined, index: number): string =>
  first === undefined ? '' : String(first === 0 ? 0 : first + index);

export const childEnvironment = (env: Environment, config: Config, port: number): NodeJS.ProcessEnv => ({
  ...env,
  // Whoever stops it at a terminal waits for no load balancer.
  SHUTDOWN_DRAIN_SECONDS:
    env['SHUTDOWN_DRAIN_SECONDS'] || (process.stdout.isTTY ? '0' : String(config.SHUTDOWN_DRAIN_SECONDS)),
  // Nothing else answers meanwhile.
  WARM_UP: env['WARM_UP'] || '0',
  PORT: String(port),
  BASE_URL: env['BASE_URL'] || addressOf(config.HOST, port),
  DATABASE_URL: config.DATABASE_URL,
  DATA_DIR: config.DATA_DIR,
  // Compiled code of the children: later starts are a third faster.
  NODE_COMPILE_CACHE: env['NODE_COMPILE_CACHE'] || join(config.DATA_DIR, 'compile-cache'),
  JWT_SECRET: config.JWT_SECRET.join(','),
  ENCRYPTION_KEYS: config.ENCRYPTION_KEYS.join(','),
  SAFETY_CODE: config.SAFETY_CODE.join(','),
  TRY_DEVELOPER_KEY: config.TRY_DEVELOPER_KEY ?? '',
  // Several processes would touch the same file.
  HEALTH_FILE: '',
});
