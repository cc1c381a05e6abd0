/** `npm run ops -- <noun> <verb> [flags] [--json]`: the operator's command line. */
import { openConfig } from './open-config.ts';
import { createLogger, logFormatOf } from '#platform/log/log.ts';
import { createPostgres } from '#store/postgres/pool.ts';
import { createQueues } from '#store/queue/queues.ts';
import type { Queues } from '#store/queue/types.ts';
import { setPriority } from 'node:os';
import { pino } from 'pino';
import { read } from 'read';
import { nouns } from '#operator/nouns.ts';
import { runOps } from './run.ts';

const open = async () => {
  const { config, close: closeDatabase } = await openConfig();
  // Standard output carries only the answer.
  const log = createLogger('ops', 'warn', {
    destination: pino.destination({ dest: 2, sync: true }),
    format: logFormatOf(config.LOG_FORMAT),
  });
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
        queues ??= createQueues(config, 'ops', log);
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

const { stdin, stdout, stderr } = process;
// Lower priority: compression must not starve the service.
if (process.argv[2] === 'backup') setPriority(10);
process.exitCode = await runOps(nouns, process.argv.slice(2), open, {
  out: (line) => stdout.write(`${line}\n`),
  err: (line) => stderr.write(`${line}\n`),
  columns: stdout.isTTY ? stdout.columns : null,
  // False for NO_COLOR and dumb terminals.
  isStyled: stdout.isTTY && stdout.hasColors(),
  ...(stdin.isTTY ? { ask: (label: string) => read({ prompt: label, output: stderr }) } : {}),
});
