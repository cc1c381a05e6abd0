import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Account } from './account.ts';

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
