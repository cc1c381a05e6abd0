import { OperatorError } from '../errors.ts';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '#domain/errors.ts';
import type { Account, Watch } from './system.ts';
import { postgresAccount, lockFolder, watchOver } from './system.ts';
import { locateBinaries } from './binaries.ts';
import type { Binaries } from './binaries.ts';
import { openCluster, superuser } from './cluster.ts';
import type { Cluster } from './cluster.ts';
import { usablePort } from '../ports.ts';

export interface EmbeddedOptions {
  /** Folder of the database, created if absent. */
  folder: string;
  /** False in tests: nothing is flushed to disk, and no password is checked. */
  durable: boolean;
  /** Lines of the server's log. */
  onLog?: (line: string) => void;
  /** Called while another process creates the database, when this one has time. */
  onCreating?: () => void;
}

const settings = (port: number, { durable }: EmbeddedOptions): string[] =>
  [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'max_connections=200',
    'shared_buffers=128MB',
    'timezone=UTC',
    'log_timezone=UTC',
    ...(durable
      ? ['unix_socket_directories=']
      : [
          `unix_socket_directories=${tmpdir()}`,
          'fsync=off',
          'synchronous_commit=off',
          'full_page_writes=off',
          'max_wal_size=2GB',
          // At once, as after five executions in a service: connections of tests are too short for that.
          'plan_cache_mode=force_generic_plan',
        ]),
  ].flatMap((setting) => ['-c', setting]);

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
};

const commandOf = (pid: number): string => {
  const path = `/proc/${pid}/cmdline`;
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};

/**
 * A killed service leaves its lock file and possibly its server. We hold the folder's lock, so a server still running
 * there is unused and is stopped; if its process id now belongs to another process, only the file is removed.
 */
const clearLeftover = async (dataFolder: string) => {
  const path = join(dataFolder, 'postmaster.pid');
  if (!existsSync(path)) return;
  const pid = Number(readFileSync(path, 'utf8').split('\n')[0]);
  if (isAlive(pid) && commandOf(pid).includes(dataFolder)) {
    process.kill(pid, 'SIGINT');
    for (let waited = 0; isAlive(pid) && waited < 10_000; waited += 50) await sleep(50);
    if (isAlive(pid)) process.kill(pid, 'SIGQUIT');
    for (let waited = 0; isAlive(pid) && waited < 5_000; waited += 50) await sleep(50);
  } else if (process.platform === 'linux') {
    await rm(path, { force: true });
  }
};

interface Launch {
  binaries: Binaries;
  cluster: Cluster;
  account: Account | undefined;
  options: EmbeddedOptions;
  port: number;
}

const launchOnce = ({ binaries, cluster, account, options, port }: Launch): Promise<ChildProcess> =>
  new Promise((resolve, reject) => {
    // A process group of its own: Ctrl-C in the terminal reaches only the parent, which stops the database last.
    const child = spawn(binaries.postgres, ['-D', cluster.dataFolder, ...settings(port, options)], {
      ...account,
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    });
    const lines: string[] = [];
    let rest = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) {
        options.onLog?.(line);
        if (lines.length < 20) lines.push(line);
        if (/ready to accept (?:read-only )?connections/.test(line)) resolve(child);
      }
    });
    child.once('error', reject);
    child.once('exit', () =>
      reject(new OperatorError(`The embedded database did not start: ${lines.join(' | ')}`)),
    );
  });

const passing = /shared memory block|lock file .* already exists|Address already in use|being shut down/;

/** Processes of a killed server may still be exiting, so starting is retried for 15 s. */
const launch = async (options: Launch): Promise<ChildProcess> => {
  const deadline = performance.now() + 15_000;
  for (;;) {
    await clearLeftover(options.cluster.dataFolder);
    try {
      return await launchOnce(options);
    } catch (error) {
      if (!(error instanceof Error) || !passing.test(error.message) || performance.now() > deadline)
        throw error;
      await sleep(100);
    }
  }
};

/** Starts the embedded server on `folder`. Throws an error in plain words if it cannot run here. */
export const startEmbedded = async (options: EmbeddedOptions) => {
  const release = await lockFolder(options.folder);
  try {
    return await startLocked(options, release);
  } catch (error) {
    await release();
    throw error;
  }
};

const startLocked = async (options: EmbeddedOptions, release: () => Promise<void>) => {
  const account = postgresAccount();
  const binaries = await locateBinaries(account);
  const cluster = await openCluster(options, binaries, account);
  const port = await usablePort('127.0.0.1', 0);
  const listeners: (() => void)[] = [];
  let child: ChildProcess | undefined;
  let watch: Watch | undefined;
  let stopping = false;

  const start = async () => {
    const started = await launch({ binaries, cluster, account, options, port });
    child = started;
    const watching = watchOver(started.pid ?? 0, cluster.dataFolder, account);
    watch = watching;
    started.once('exit', () => {
      void watching.end();
      if (!stopping) for (const listener of listeners) listener();
    });
  };
  const stop = async () => {
    stopping = true;
    const running = child;
    if (running && running.exitCode === null && running.signalCode === null) {
      const ended = new Promise((resolve) => void running.once('exit', resolve));
      running.kill('SIGINT');
      const late = setTimeout(() => running.kill('SIGQUIT'), 10_000);
      await ended;
      clearTimeout(late);
    }
    await watch?.end();
    await release();
  };
  await start();
  return {
    port,
    /** Current process id of the postmaster. */
    pid: () => child?.pid ?? 0,
    /** Address of a database of this server. */
    urlOf: (database: string) => `postgres://${superuser}:${cluster.password}@127.0.0.1:${port}/${database}`,
    /** Calls back if the server ends without `stop`; `start` restarts it on the same port. */
    onDeath: (listener: () => void): void => void listeners.push(listener),
    start,
    /** Fast shutdown; immediate after 10 s. */
    stop,
  };
};

/** A running embedded Postgres 18 on a free loopback port. */
export type EmbeddedServer = Awaited<ReturnType<typeof startLocked>>;
