import type { Logger } from 'pino';
import type { Config } from '#platform/config/config.ts';
import { createPostgres } from '../pool.ts';
import type { Postgres } from '../pool.ts';
import { applicationName } from '../processes.ts';
import { createReplicas } from './replicas.ts';
import type { Replicas } from './replicas.ts';

/** A replica that is not there, or hangs, must not hold up a call for long. */
const waitMs = 1_000;
const statementTimeoutMs = 1_000;

/** The replicas of DATABASE_READ_URLS; without any the primary is read. */
export const openReplicas = (
  config: Pick<Config, 'DATABASE_READ_URLS' | 'DATABASE_DIRECT_URL' | 'DATABASE_POOL'>,
  { postgres, log }: { postgres: Postgres; log: Logger },
): Replicas => {
  const connect = (connectionString: string, max: number, purpose: string): Postgres =>
    createPostgres(
      {
        connectionString,
        applicationName: `${applicationName('api')} ${purpose}`,
        max,
        waitMs,
        statementTimeoutMs,
        // Where there is a pooler in front of the primary there may be one in front of its replicas.
        ...(config.DATABASE_DIRECT_URL === undefined
          ? {}
          : { pooler: { directConnectionString: connectionString, keepsStatements: false } }),
      },
      log,
    );
  const replicas = config.DATABASE_READ_URLS.map((url) => ({
    name: new URL(url).host,
    reading: connect(url, config.DATABASE_POOL, 'replica'),
    watching: connect(url, 1, 'replica watch'),
  }));
  return createReplicas({ replicas, primary: postgres, log });
};
