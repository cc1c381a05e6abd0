import { OperatorError } from '../operator-error.ts';
import { execFileSync, spawnSync } from 'node:child_process';

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
