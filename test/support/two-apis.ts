/** Two API processes on one database and one clock. */
import { testApi } from '../api.ts';
import type { TestApi } from '../api.ts';
import { runSql } from './sql.ts';

export interface TwoApis {
  here: TestApi;
  there: TestApi;
  /** Runs a statement on the database connections of `there`. */
  runThere: ReturnType<typeof runSql>;
  close: () => Promise<void>;
}

/** `env` applies to both; with a `STORAGE_URL` they share their files. */
export const twoApis = async (env: Record<string, string> = {}): Promise<TwoApis> => {
  const here = await testApi({ env });
  const { databaseUrl, clock } = here.context;
  const there = await testApi({ databaseUrl, clock, env });
  return {
    here,
    there,
    runThere: runSql(there.context.postgres),
    close: async () => {
      await there.close();
      await here.close();
    },
  };
};
