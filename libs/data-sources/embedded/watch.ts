import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Account } from './account.ts';

/** The children of a service that was killed get this long to end with their database. */
const graceSeconds = 3;
/** A fast shutdown that takes longer becomes an immediate one. */
const patienceSeconds = 5;

/**
 * Waits for one line; the end of the input without it means that whoever started the server was killed. The lock
 * file tells whether the server of this folder is still that one.
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
  /** The server has ended or is ended by us. */
  end(): Promise<void>;
}

/** A small process that ends the database server `pid` when this process is killed without a word. */
export const watchOver = (pid: number, dataFolder: string, account: Account | undefined): Watch => {
  const watcher = spawn('/bin/sh', ['-c', script, 'database-watch', dataFolder, String(pid)], {
    ...account,
    cwd: '/',
    // A Ctrl-C in the terminal must not reach it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'] },
  });
  const ended = once(watcher, 'exit').catch(() => undefined);
  // It may be gone before it is told; without a shell there is no watch, as before a start.
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  return {
    end: async () => {
      if (watcher.pid === undefined || watcher.exitCode !== null || watcher.signalCode !== null) return;
      // Its end is waited for now, and nothing else may be left to keep this process alive until then.
      watcher.ref();
      watcher.stdin.end('end\n');
      await ended;
    },
  };
};
