/** A PgBouncer in front of a test's database. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresAccount } from '#platform/embedded/system.ts';
import { onPath } from './on-path.ts';
import { freePort } from './redis.ts';

const program = onPath('pgbouncer');

export const hasBouncer = program !== null;
/** Why tests with it are skipped, for titles. */
export const bouncerNote = hasBouncer ? '' : ' (skipped: no pgbouncer on the PATH)';

export interface Bouncer {
  /** Address of the database through it. */
  url: string;
  stop: () => Promise<void>;
}

export const startBouncer = async (
  databaseUrl: string,
  mode: 'session' | 'transaction',
): Promise<Bouncer> => {
  if (program === null) throw new Error('no pgbouncer on the PATH');
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const own = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'efb-pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${port} user=${username} password=${password}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = any',
    `admin_users = ${username}`,
    `pool_mode = ${mode}`,
  ];
  await writeFile(file, settings.join('\n'));
  // It does not run as root.
  const account = postgresAccount();
  if (account) await chown(folder, account.uid, account.gid);
  const child = spawn(program, [file], { ...account, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  await new Promise<void>((resolve, reject) => {
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('process up')) resolve();
    });
    child.once('exit', () => reject(new Error(`pgbouncer did not start: ${log}`)));
  });
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${own}${pathname}`,
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
};
