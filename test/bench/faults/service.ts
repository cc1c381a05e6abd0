/** The whole service as `npm start` runs it, with a mail server, to be damaged by the scenarios. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readRunning } from '#platform/embedded/running.ts';
import type { Running } from '#platform/embedded/running.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import { isAlive, startService } from '#test/support/process.ts';
import { freePort } from '#test/support/redis.ts';
import { until } from '#test/support/until.ts';
import { benchUsers } from '../support/accounts.ts';
import { benchPostgres } from '../support/latency.ts';
import { benchSecrets } from '../support/secrets.ts';
import { startMailSink } from './mail-sink.ts';
import type { MailSink } from './mail-sink.ts';

const main = resolve(import.meta.dirname, '../../../apps/main.cjs');

export interface FaultService {
  url: string;
  mail: MailSink;
  /** Changes after a kill of the API, since the embedded database then restarts on another port. */
  postgres: Postgres;
  /** Tokens of users with a subscription. */
  tokens: readonly string[];
  folder: string;
  running: () => Running;
  /**
   * Kills a process and waits until its successor is ready; after a kill of the API the service is restarted,
   * as systemd would. Returns the time of the kill (monotonic, in ms).
   */
  kill: (name: 'api' | 'jobs' | 'postgres') => Promise<number>;
  close: () => Promise<void>;
}

/** Starts the service with simulated sources and without limits. */
export const startFaultService = async (env: Record<string, string> = {}): Promise<FaultService> => {
  const folder = await mkdtemp(join(tmpdir(), 'efb-faults-'));
  // As root the database runs under a separate account, which must be able to traverse this folder.
  await chmod(folder, 0o755);
  const mail = await startMailSink();
  const given = {
    ...benchSecrets,
    PORT: String(await freePort()),
    DATA_DIR: folder,
    SOURCES: 'simulated',
    SMTP_URL: mail.url,
    RATE_LIMIT_SCALE: '1000000',
    LOG_LEVEL: 'fatal',
    ...env,
  };
  let started = startService(main, given);
  const url = await started.ready();
  const running = (): Running => {
    const state = readRunning(folder);
    if (!state) throw new Error(`the service is not running; output:\n${started.output()}`);
    return state;
  };
  const connect = () => benchPostgres({ databaseUrl: running().databaseUrl });
  const postgres = connect();
  const tokens = await benchUsers({ databaseUrl: running().databaseUrl }, postgres, 50);
  const service: FaultService = {
    url,
    mail,
    postgres,
    tokens,
    folder,
    running,
    kill: async (name) => {
      const pidOf = () =>
        ({ api: running().pid, jobs: running().jobsPid, postgres: running().postgresPid })[name];
      const pid = pidOf();
      if (pid === null) throw new Error(`${name} is not running`);
      const at = performance.now();
      process.kill(pid, 'SIGKILL');
      if (name === 'api') {
        await started.exit;
        started = startService(main, given);
        await started.ready();
        await service.postgres.close();
        service.postgres = connect();
      } else await until(`another ${name}`, () => ![pid, null].includes(pidOf()));
      return at;
    },
    close: async () => {
      await service.postgres.close();
      if (isAlive(started.pid)) process.kill(started.pid, 'SIGTERM');
      await started.exit;
      await mail.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 1_000 });
    },
  };
  return service;
};
