/** Processes of a benchmark: an embedded Postgres and child servers. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startEmbedded } from '#platform/embedded/server.ts';
import { prepareDatabase } from '#store/service-database.ts';
import { benchSecrets } from './secrets.ts';

const root = resolve(import.meta.dirname, '../../..');
const counter = pathToFileURL(join(import.meta.dirname, 'count-statements.ts')).href;

export interface Started {
  url: string;
  child: ChildProcess;
  /** Statements that the process sent to the database so far. */
  statements: () => Promise<number>;
}

export interface StartOptions {
  /** Root folder of another version, instead of this tree. */
  from?: string;
  /** Called before the child is ready. */
  spawned?: (pid: number) => void;
}

export interface Stand {
  databaseUrl: string;
  databasePid: number;
  /** DATA_DIR of the children. */
  folder: string;
  /** Starts a script as a child that reports `{ready, port}`; returns its address. */
  start: (script: string, env?: Record<string, string>, options?: StartOptions) => Promise<Started>;
  close: () => Promise<void>;
}

/** The database of a bench setup. */
export interface StandDatabase {
  url: string;
  pid: number;
  stop: () => Promise<void>;
}

const startDatabase = async (folder: string): Promise<StandDatabase> => {
  const server = await startEmbedded({ folder: join(folder, 'postgres'), durable: true });
  const url = server.urlOf('postgres');
  await prepareDatabase({ DATABASE_URL: url });
  return { url, pid: server.pid(), stop: server.stop };
};

/** `given` is used instead of a new database, and stopped with the setup. */
export const createStand = async (given?: StandDatabase): Promise<Stand> => {
  const folder = await mkdtemp(join(tmpdir(), 'efb-bench-'));
  // As root the database runs under a separate account, which must be able to traverse this folder.
  await chmod(folder, 0o755);
  const database = given ?? (await startDatabase(folder));
  const databaseUrl = database.url;
  const children: ChildProcess[] = [];
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: '0',
    ...benchSecrets,
    LOG_LEVEL: 'warn',
    RATE_LIMIT_SCALE: '1000000',
  };
  return {
    databaseUrl,
    databasePid: database.pid,
    folder,
    start: async (script, extra = {}, { from = root, spawned } = {}) => {
      const child = spawn(process.execPath, ['--import', counter, join(from, script)], {
        env: { ...env, ...extra },
        cwd: from,
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      children.push(child);
      if (child.pid !== undefined) spawned?.(child.pid);
      const port = await new Promise<number>((done, failed) => {
        child.on('message', (message: { ready?: boolean; port?: number }) => {
          if (message.ready) done(message.port ?? 0);
        });
        child.once('exit', (code) => failed(new Error(`${script} ended with ${code}`)));
      });
      const statements = () =>
        new Promise<number>((done) => {
          const onMessage = (message: { statements?: number }) => {
            if (message.statements === undefined) return;
            child.off('message', onMessage);
            done(message.statements);
          };
          child.on('message', onMessage);
          child.send('statements');
        });
      return { url: `http://127.0.0.1:${port}`, child, statements };
    },
    close: async () => {
      for (const child of children) {
        if (child.exitCode !== null) continue;
        const ended = new Promise((done) => {
          child.once('exit', done);
        });
        child.kill('SIGTERM');
        await ended;
      }
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
