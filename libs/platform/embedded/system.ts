import { execFileSync, spawnSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { codeOf } from '#domain/errors.ts';
import { OperatorError } from '../operator-error.ts';

/** The system account that Postgres runs under; undefined when we are not root and use the current user. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

const idOf = (flag: '-u' | '-g', name: string): number | undefined => {
  const result = spawnSync('id', [flag, name], { encoding: 'utf8' });
  return result.status === 0 ? Number(result.stdout.trim()) : undefined;
};

const lookUp = (name: string): Account | undefined => {
  const uid = idOf('-u', name);
  const gid = idOf('-g', name);
  return uid === undefined || gid === undefined || uid === 0 ? undefined : { uid, gid };
};

const create = (name: string): Account | undefined => {
  try {
    execFileSync(
      'useradd',
      ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', name],
      {
        stdio: 'pipe',
      },
    );
  } catch {
    // Two starts at once: one creates the account, the other finds it. Without useradd the account `nobody` is
    // used.
  }
  return lookUp(name) ?? lookUp('nobody');
};

/** Postgres refuses to run as root, so as root we use the account `postgres`, created when absent. */
export const postgresAccount = (): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const account = lookUp('postgres') ?? create('postgres');
  if (!account) {
    throw new OperatorError(
      'Postgres cannot run as root and no account could be created for it: run as another user or set DATABASE_URL.',
    );
  }
  return account;
};

/** True when the account can read and traverse (or execute) the path, including all parent folders. */
export const canReach = (account: Account | undefined, path: string): boolean =>
  spawnSync('/bin/sh', ['-c', 'test -r "$1" && test -x "$1"', 'sh', path], { ...account, cwd: '/' })
    .status === 0;

/**
 * One running service per data folder. The lock is an abstract socket, so it ends with its process in any case,
 * and no stale file or reused process id can be mistaken for a running service. Linux only; elsewhere
 * Postgres's own lock file is the guard. Resolves to a function that releases it.
 */
export const lockFolder = async (folder: string): Promise<() => Promise<void>> => {
  if (process.platform !== 'linux') return async () => {};
  const name = `\0efb-backend-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        codeOf(error) === 'EADDRINUSE'
          ? new OperatorError(`Another service is running on ${folder}: stop it, or set another DATA_DIR.`)
          : error,
      ),
    );
    server.listen(name, resolve);
  });
  server.unref();
  return () => new Promise((resolve) => void server.close(() => resolve()));
};

/** Time that the children of a killed service get to end before their database. */
const graceSeconds = 3;
/** Time after which a fast shutdown becomes an immediate one. */
const patienceSeconds = 5;

/**
 * Waits for one line; the end of the input without it means that the process that started the server was
 * killed. The lock file shows whether it is still the same server.
 */
const script = `
read -r _ && exit 0
same() { read -r pid rest < "$1/postmaster.pid" && [ "$pid" = "$2" ] && kill -0 "$2"; }
sleep ${graceSeconds}
same "$1" "$2" 2>/dev/null || exit 0
kill -INT "$2"
sleep ${patienceSeconds}
same "$1" "$2" 2>/dev/null || exit 0
kill -QUIT "$2"
`;

export interface Watch {
  /** The server has ended or is being stopped by us. */
  end: () => Promise<void>;
}

/** A small process that stops the database server `pid` when this process is killed. */
export const watchOver = (pid: number, dataFolder: string, account: Account | undefined): Watch => {
  const watcher = spawn('/bin/sh', ['-c', script, 'database-watch', dataFolder, String(pid)], {
    ...account,
    cwd: '/',
    // Ctrl-C in the terminal must not reach it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'] },
  });
  const ended = once(watcher, 'exit').catch(() => undefined);
  // It may have exited before it is notified; without a shell there is no watch.
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  return {
    end: async () => {
      if (watcher.pid === undefined || watcher.exitCode !== null || watcher.signalCode !== null) return;
      // We now wait for its end; nothing else must keep this process alive until then.
      watcher.ref();
      watcher.stdin.end('end\n');
      await ended;
    },
  };
};
