import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { canReach } from './account.ts';
import type { Account } from './account.ts';
import { systemFolder } from './binaries.ts';
import type { Binaries } from './binaries.ts';

const run = promisify(execFile);

export const superuser = 'efb';

export interface Cluster {
  readonly dataFolder: string;
  readonly password: string;
}

const give = async (path: string, account: Account | undefined) => {
  if (account) await chown(path, account.uid, account.gid);
};

/**
 * The Postgres account often cannot traverse root's home folder. Then the files are kept in the system folder
 * and a link replaces them.
 */
const reachable = async (folder: string, account: Account | undefined): Promise<string> => {
  await mkdir(folder, { recursive: true });
  const real = await realpath(folder);
  await give(real, account);
  if (canReach(account, real)) return real;
  const isLink = (await lstat(folder)).isSymbolicLink();
  if (isLink || (await readdir(folder)).length > 0) {
    throw new Error(
      `The account that Postgres runs under cannot reach ${folder}: set DATA_DIR to a folder that it can access, ` +
        'run as a user other than root, or set DATABASE_URL.',
    );
  }
  await mkdir(systemFolder, { recursive: true, mode: 0o755 });
  const elsewhere = await mkdtemp(join(systemFolder, 'data-'));
  await give(elsewhere, account);
  await rmdir(folder);
  await symlink(elsewhere, folder);
  return elsewhere;
};

const initialise = async (
  folder: string,
  dataFolder: string,
  binaries: Binaries,
  account: Account | undefined,
  durable: boolean,
) => {
  const half = await mkdtemp(join(folder, 'init-'));
  await give(half, account);
  const password = randomBytes(24).toString('base64url');
  const passwordFile = join(folder, `password-${process.pid}`);
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  await give(passwordFile, account);
  try {
    await run(
      binaries.initdb,
      [
        `--pgdata=${half}`,
        `--username=${superuser}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--no-locale',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
        ...(durable ? [] : ['--no-sync']),
      ],
      { ...account, cwd: folder, env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' } },
    );
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    await rm(half, { recursive: true, force: true });
    throw new Error(`The embedded database could not be created: ${output}`, { cause: error });
  } finally {
    await rm(passwordFile, { force: true });
  }
  await writeFile(join(half, 'efb-password'), password, { mode: 0o600 });
  await rename(half, dataFolder);
};

/** The cluster in `folder`, created when absent; an interrupted attempt leaves nothing that looks like one. */
export const openCluster = async (
  folder: string,
  binaries: Binaries,
  account: Account | undefined,
  durable: boolean,
): Promise<Cluster> => {
  const real = await reachable(folder, account);
  const dataFolder = join(real, '18');
  if (!existsSync(dataFolder)) {
    for (const name of await readdir(real)) {
      if (name.startsWith('init-')) await rm(join(real, name), { recursive: true, force: true });
    }
    await initialise(real, dataFolder, binaries, account, durable);
  }
  return { dataFolder, password: await readFile(join(dataFolder, 'efb-password'), 'utf8') };
};
