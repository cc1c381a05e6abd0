/**
 * Where the processes of the benchmark find their database: at the server itself, through a PgBouncer in transaction mode, and with a
 * streaming replica beside it, as `--through` says.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Postgres } from '#data/postgres/pool.ts';
import { startBouncer } from '#test/support/pgbouncer.ts';
import type { Bouncer } from '#test/support/pgbouncer.ts';
import { createPairStand } from '../support/pair.ts';
import type { PairStand } from '../support/pair.ts';
import { createStand } from '../support/servers.ts';
import type { Stand } from '../support/servers.ts';
import { createProcessor } from './processor.ts';
import type { Processor } from './processor.ts';

export type Through = 'pooler' | 'replica';

export interface Place {
  /** Its processes use the database of many users, unless they are given another. */
  stand: Stand;
  /** Variables of a process that uses this database. */
  envOf: (databaseUrl: string) => Record<string, string>;
  /** Time of a process and of all that serves it: backends of both servers, and the pooler. */
  processorOf: (pid: number, databaseUrl: string) => Processor;
  /** Settings of a database that changed count for all connections from now on. */
  reconnect: () => Promise<void>;
  /** The replica has what the primary has. */
  caughtUp: () => Promise<void>;
  close: () => Promise<void>;
}

const serverConnections = 40;

const caughtUp = async ({ pair }: PairStand): Promise<void> => {
  const [row] = await pair.primary.query('SELECT pg_current_wal_lsn()::text AS lsn');
  const isThere = `SELECT pg_last_wal_replay_lsn() >= '${String(row?.['lsn'])}' AS "isThere"`;
  while ((await pair.replica.query(isThere))[0]?.['isThere'] !== true) await sleep(250);
};

/** PgBouncer opens new connections of the server for what is asked next. */
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
  through: readonly Through[],
  connect: (databaseUrl: string) => Postgres,
): Promise<Place> => {
  const pairStand = through.includes('replica') ? await createPairStand() : null;
  const stand = pairStand?.stand ?? (await createStand());
  const bouncer = through.includes('pooler')
    ? await startBouncer(stand.databaseUrl, { mode: 'transaction', serverConnections })
    : null;
  const onReplica = (databaseUrl: string): string | null =>
    pairStand && pairStand.pair.replica.server.urlOf(new URL(databaseUrl).pathname.slice(1));
  const envOf = (databaseUrl: string): Record<string, string> => {
    const { pathname } = new URL(databaseUrl);
    const replica = onReplica(databaseUrl);
    return {
      DATABASE_URL: databaseUrl,
      ...(bouncer && {
        DATABASE_URL: new URL(pathname, bouncer.url).href,
        DATABASE_DIRECT_URL: databaseUrl,
      }),
      ...(replica !== null && { DATABASE_READ_URLS: replica }),
    };
  };
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
      createProcessor(
        [pid, ...(bouncer ? [bouncer.pid] : [])],
        [databaseUrl, onReplica(databaseUrl)].filter((url) => url !== null).map(postgresOf),
      ),
    reconnect: async () => {
      if (bouncer) await reconnect(bouncer);
    },
    caughtUp: async () => {
      if (pairStand) await caughtUp(pairStand);
    },
    close: async () => {
      for (const postgres of open.values()) await postgres.close();
      // Its processes before what they use.
      await stand.close();
      await bouncer?.stop();
    },
  };
};
