import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { version } from '#platform/command-line.ts';
import type { Config } from '#platform/config/config.ts';
import { hostOf } from '#platform/config/database-url.ts';
import { createLogger, logFormatOf } from '#platform/log/log.ts';
import { addressOf, assertUsableFolder, readConfig } from '#platform/config/config.ts';
import { removeRunning, writeRunning } from '#platform/embedded/running.ts';
import type { EmbeddedServer } from '#platform/embedded/server.ts';
import { usablePort } from '#platform/ports.ts';
import { runProcess } from '#platform/process.ts';
import type { Stoppable, Variables } from '#platform/process.ts';
import { prepareDatabase, startServiceDatabase } from '#store/service-database.ts';
import { startChild } from './child.ts';

/** npm forwards SIGTERM only to its shell, which exits without notifying us; what we notice is a new parent. */
const stopWithNpm = (env: Variables): void => {
  if (env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 250).unref();
};

/** API and jobs get this long after SIGTERM; the database needs less than the rest of 10 s. */
const stopLimitMs = 8_500;

/** Replaces the address of the embedded database while the other variables are validated. */
const placeholder = 'postgres://embedded';

/** The service's environment, once the database's port is known. */
const serviceEnvironment = (env: Variables, config: Config, port: number): Record<string, string> => ({
  // Nobody at a terminal needs the pause for load balancers.
  SHUTDOWN_DRAIN_SECONDS:
    env['SHUTDOWN_DRAIN_SECONDS'] || (process.stdout.isTTY ? '0' : String(config.SHUTDOWN_DRAIN_SECONDS)),
  PORT: String(port),
  BASE_URL: env['BASE_URL'] || addressOf(config.HOST, port),
  DATABASE_URL: config.DATABASE_URL,
  DATA_DIR: config.DATA_DIR,
  JWT_SECRET: config.JWT_SECRET.join(','),
  ENCRYPTION_KEYS: config.ENCRYPTION_KEYS.join(','),
  SAFETY_CODE: config.SAFETY_CODE.join(','),
  TRY_DEVELOPER_KEY: config.TRY_DEVELOPER_KEY ?? '',
});

/** Restarts a crashed database on the same port; the processes keep running and reconnect. */
const keepAlive = (server: EmbeddedServer, log: Logger, isStopping: () => boolean, onChange: () => void) => {
  const restart = async (): Promise<void> => {
    for (let gapMs = 100; !isStopping(); gapMs = Math.min(gapMs * 2, 5_000)) {
      log.error('embedded database crashed, restarting');
      try {
        await server.start();
        onChange();
        return;
      } catch (error) {
        log.error({ err: error }, 'embedded database does not start');
        await sleep(gapMs);
      }
    }
  };
  server.onDeath(() => void restart());
};

export interface Parts {
  /** Loads the modules of the API, which start it; only the first call takes time. */
  loadApi: () => Promise<{ startConfigured: (config: Config) => Promise<Stoppable> }>;
  /** Script for the process of workers and scheduler. */
  jobs: string;
}

/** Whatever was opened is closed in reverse order, even if the start fails. */
const start = async (env: Variables, checked: Config, { loadApi, jobs }: Parts): Promise<Stoppable> => {
  await using opened = new AsyncDisposableStack();
  const isEmbedded = checked.DATABASE_URL === placeholder;
  const log = createLogger('supervisor', checked.LOG_LEVEL, { format: checked.LOG_FORMAT });
  // Besides the log, for a terminal.
  const say = logFormatOf(checked.LOG_FORMAT) === 'pretty' ? console.log : () => undefined;
  assertUsableFolder(checked.DATA_DIR);
  const port = await usablePort(checked.HOST, checked.PORT);
  const database = isEmbedded ? `Postgres in ${checked.DATA_DIR}` : hostOf(checked.DATABASE_URL);
  say(`efb-backend ${version}, ${database}: starting …`);
  let config = checked;
  let stoppedAt: number | undefined;
  let embedded: EmbeddedServer | undefined;
  let jobsPid: number | null = null;
  const address = addressOf(checked.HOST, port);
  const write = () => {
    if (stoppedAt !== undefined) return;
    const postgresPid = embedded?.pid() ?? null;
    writeRunning(config.DATA_DIR, {
      address,
      databaseUrl: config.DATABASE_URL,
      pid: process.pid,
      postgresPid,
      jobsPid,
    });
  };
  const sent = Promise.withResolvers<Variables>();
  // It loads its modules while the database starts.
  const child = startChild(jobs, sent.promise, log, (pid) => {
    jobsPid = pid;
    write();
  });
  const stopChild = () => {
    const now = performance.now();
    return child.stop(Math.max(500, (stoppedAt ?? now) + stopLimitMs - now));
  };
  opened.defer(stopChild);
  opened.defer(() => removeRunning(config.DATA_DIR));
  if (isEmbedded) {
    const { server, url } = await startServiceDatabase(checked.DATA_DIR, {
      onLog: (line) => log.debug({ postgres: line }),
      onCreating: () => void loadApi(),
    });
    embedded = server;
    opened.defer(() => server.stop());
    config = readConfig(env, url);
  }
  await prepareDatabase(config);
  const variables = { ...env, ...serviceEnvironment(env, config, port) };
  if (embedded) keepAlive(embedded, log, () => stoppedAt !== undefined, write);
  const { METRICS_PORT: metricsPort } = config;
  sent.resolve({
    ...variables,
    HEALTH_FILE: '',
    METRICS_PORT: metricsPort ? String(metricsPort + 1) : (env['METRICS_PORT'] ?? ''),
  });
  // Before the database.
  opened.defer(stopChild);
  const serve = async () => {
    const { startConfigured } = await loadApi();
    const api = await startConfigured(readConfig(variables));
    // The API may wait for drawings while it finishes its requests.
    opened.defer(() => api.stop());
  };
  await Promise.all([serve(), child.ready]);
  // The same everywhere, because scripts wait for it.
  console.log(`ready ${address}`);
  say(`      docs ${address}/docs, status ${address}/status\n      Ctrl-C stops everything`);
  const closing = opened.move();
  return {
    stop: () => {
      say('stopping …, Ctrl-C again ends at once');
      stoppedAt = performance.now();
      return closing.disposeAsync();
    },
  };
};

/**
 * Runs the service until SIGTERM or SIGINT: an embedded database unless `DATABASE_URL` is set, the API in this process,
 * and the jobs in another.
 */
export const supervise = async (env: Variables, parts: Parts): Promise<void> => {
  stopWithNpm(env);
  await runProcess('api', (config) => start(env, config, parts), {
    read: () => readConfig(env, placeholder),
  });
};
