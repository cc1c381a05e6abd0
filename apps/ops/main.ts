/** `npm run ops -- <noun> <verb> [flags] [--json]`: the operator's command line. */
import { openConfig } from '#data/embedded/open.ts';
import { createLogger } from '#data/log.ts';
import { createPostgres } from '#data/postgres/pool.ts';
import { createQueues } from '#data/queue/queues.ts';
import type { Queues } from '#data/queue/queues.ts';
import { pino } from 'pino';
import type { Resources } from './command.ts';
import { nouns } from './nouns.ts';
import { runOps } from './run.ts';

const open = async (): Promise<{ ops: Resources; close: () => Promise<void> }> => {
  const { config, close: closeDatabase } = await openConfig();
  // Standard output carries only the answer.
  const log = createLogger('ops', 'warn', pino.destination({ dest: 2, sync: true }));
  const postgres = createPostgres(
    {
      connectionString: config.DATABASE_URL,
      applicationName: 'ops',
      max: 2,
      statementTimeoutMs: 60_000,
    },
    log,
  );
  let queues: Promise<Queues> | undefined;
  return {
    ops: {
      config,
      clock: { now: () => new Date() },
      postgres,
      queues: () => {
        queues ??= createQueues(config, 'ops', postgres, log);
        return queues;
      },
    },
    close: async () => {
      await (await queues)?.close();
      await postgres.close();
      await closeDatabase();
    },
  };
};

process.exitCode = await runOps(nouns, process.argv.slice(2), open, {
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
});
