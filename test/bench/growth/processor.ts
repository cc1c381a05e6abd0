/**
 * Processor time of an API and of what the database does for it, which other processes of the machine hardly change. Linux only:
 * elsewhere it is not a number.
 */
import { readFileSync, readdirSync } from 'node:fs';
import type { Postgres } from '#data/postgres/pool.ts';
import { sql } from '#data/postgres/sql.ts';
import { benchConnections } from './calls.ts';

export interface Processor {
  /** Finds the connections of now. */
  find: () => Promise<void>;
  /** Milliseconds since an unknown moment. */
  ms: () => number;
}

/** Of a thread, in nanoseconds; 0 when it has ended meanwhile. */
const threadNs = (path: string): number => {
  try {
    return Number(readFileSync(path, 'utf8').split(' ')[0]);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return 0;
    throw error;
  }
};

export const createProcessor = (apiPid: number, { db }: Postgres): Processor => {
  let paths: string[] = [];
  return {
    find: async () => {
      if (process.platform !== 'linux') return;
      const backends = await db.any<{ pid: number }>(sql`
        SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND application_name <> ${benchConnections}`);
      paths = [
        ...readdirSync(`/proc/${apiPid}/task`).map((thread) => `/proc/${apiPid}/task/${thread}/schedstat`),
        ...backends.map(({ pid }) => `/proc/${pid}/schedstat`),
      ];
    },
    ms: () => (paths.length === 0 ? Number.NaN : paths.reduce((sum, path) => sum + threadNs(path), 0) / 1e6),
  };
};
