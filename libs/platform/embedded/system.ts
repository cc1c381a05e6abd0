import { execFileSync, spawnSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { codeOf } from '#domain/errors.ts';
import { OperatorError } from '../errors.ts';

/** The system account that runs Postgres; undefined for the current user, unless that is root. */
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
    // Of two simultaneous starts, one creates the account and the other finds it. Without useradd, `nobody` is used.
  }
  return lookUp(name) ?? lookUp('nobody');
};

/** Postgres refuses to run as root, so root uses the account `postgres`, created if absent. */
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
 * Allows one running service per data folder. The lock is an abstract socket, which always ends with its process, so no
 * stale file or reused process id can block a start. Linux only; elsewhere Postgres's lock file protects the folder.
 * Resolves to the release function.
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

/** Time for the children of a killed service to end before their database. */
const graceSeconds = 3;
/** Time until a fast shutdown becomes an immediate one. */
const patienceSeconds = 5;

/**
 * Waits for a line; end of input without one means that the starting process was killed. The lock file shows whether
 * the server is still the same.
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
  /** Call it when the server has ended or is being stopped by us. */
  end: () => Promise<void>;
}

/** Starts a small process that stops the database server `pid` if this process is killed. */
export const watchOver = (pid: number, dataFolder: string, account: Account | undefined): Watch => {
  const watcher = spawn('/bin/sh', ['-c', script, 'database-watch', dataFolder, String(pid)], {
    ...account,
    cwd: '/',
    // Keeps Ctrl-C in the terminal from reaching it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'] },
  });
  const ended = once(watcher, 'exit').catch(() => undefined);
  // The watcher may have exited already; without a shell there is none.
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  return {
    end: async () => {
      if (watcher.pid === undefined || watcher.exitCode !== null || watcher.signalCode !== null) return;
      // From now on its exit is awaited, so it may keep this process alive.
      watcher.ref();
      watcher.stdin.end('end\n');
      await ended;
    },
  };
};
