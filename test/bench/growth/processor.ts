/**
 * CPU time of processes and of the database backends that serve them, hardly affected by other processes on
 * the machine. Linux only: NaN elsewhere.
 */
import { readFileSync, readdirSync } from 'node:fs';
import type { Postgres } from '#store/postgres/pool.ts';
import { sql } from '#store/postgres/sql.ts';
import { benchConnections } from './calls.ts';

export interface Processor {
  /** Finds the current connections. */
  find: () => Promise<void>;
  /** Milliseconds since an arbitrary moment. */
  ms: () => number;
}

/** CPU time of a thread in nanoseconds; 0 if it has ended. */
const threadNs = (path: string): number => {
  try {
    return Number(readFileSync(path, 'utf8').split(' ')[0]);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return 0;
    throw error;
  }
};

/** CPU time of these processes' threads, and of backends that serve clients other than this benchmark. */
export const createProcessor = (pids: readonly number[], databases: readonly Postgres[]): Processor => {
  let paths: string[] = [];
  return {
    find: async () => {
      if (process.platform !== 'linux') return;
      const backends = await Promise.all(
        databases.map(({ db }) =>
          db.any<{ pid: number }>(sql`
            SELECT pid FROM pg_stat_activity
            WHERE datname = current_database() AND backend_type = 'client backend' AND application_name <> ${benchConnections}`),
        ),
      );
      paths = [
        ...pids.flatMap((pid) =>
          readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/schedstat`),
        ),
        ...backends.flat().map(({ pid }) => `/proc/${pid}/schedstat`),
      ];
    },
    ms: () => (paths.length === 0 ? Number.NaN : paths.reduce((sum, path) => sum + threadNs(path), 0) / 1e6),
  };
};
