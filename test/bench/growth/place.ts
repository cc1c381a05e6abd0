/** Database address for the benchmark's processes: the server itself, or a PgBouncer in transaction mode. */
import { Client } from 'pg';
import type { Postgres } from '#store/postgres/pool.ts';
import { startBouncer } from '#test/support/pgbouncer.ts';
import type { Bouncer } from '#test/support/pgbouncer.ts';
import { createStand } from '../support/servers.ts';
import type { Stand } from '../support/servers.ts';
import { createProcessor } from './processor.ts';
import type { Processor } from './processor.ts';

export interface Place {
  /** The benchmark's processes use the large database unless given another one. */
  stand: Stand;
  /** Variables of a process that uses this database. */
  envOf: (databaseUrl: string) => Record<string, string>;
  /** CPU time of a process, the database backends that serve it, and the pooler. */
  processorOf: (pid: number, databaseUrl: string) => Processor;
  /** Makes changed database settings count for all connections from now on. */
  reconnect: () => Promise<void>;
  close: () => Promise<void>;
}

const serverConnections = 40;

/** PgBouncer opens new server connections for the next statements. */
const reconnect = async ({ url }: Bouncer): Promise<void> => {
  const admin = new Client({ connectionString: new URL('/pgbouncer', url).href });
  await admin.connect();
  try {
    await admin.query('RECONNECT');
  } finally {
    await admin.end();
  }
};

export const createPlace = async (
  isPooled: boolean,
  connect: (databaseUrl: string) => Postgres,
): Promise<Place> => {
  const stand = await createStand();
  const bouncer = isPooled
    ? await startBouncer(stand.databaseUrl, { mode: 'transaction', serverConnections })
    : null;
  const envOf = (databaseUrl: string): Record<string, string> =>
    bouncer
      ? {
          DATABASE_URL: new URL(new URL(databaseUrl).pathname, bouncer.url).href,
          DATABASE_DIRECT_URL: databaseUrl,
        }
      : { DATABASE_URL: databaseUrl };
  const open = new Map<string, Postgres>();
  const postgresOf = (url: string): Postgres => {
    const postgres = open.get(url) ?? connect(url);
    open.set(url, postgres);
    return postgres;
  };
  return {
    stand: {
      ...stand,
      start: (script, env, options) => stand.start(script, { ...envOf(stand.databaseUrl), ...env }, options),
    },
    envOf,
    processorOf: (pid, databaseUrl) =>
      createProcessor([pid, ...(bouncer ? [bouncer.pid] : [])], [postgresOf(databaseUrl)]),
    reconnect: async () => {
      if (bouncer) await reconnect(bouncer);
    },
    close: async () => {
      for (const postgres of open.values()) await postgres.close();
      // Processes are stopped before the database they use.
      await stand.close();
      await bouncer?.stop();
    },
  };
};
