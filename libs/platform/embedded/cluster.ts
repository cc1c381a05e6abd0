import { OperatorError } from '../errors.ts';
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
  stat,
  symlink,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { codeOf } from '#domain/errors.ts';
import { canReach } from './system.ts';
import type { Account } from './system.ts';
import { syncFolder, writeFileAtomic } from '../files/atomic-file.ts';
import { systemFolder } from './binaries.ts';
import type { Binaries } from './binaries.ts';

const run = promisify(execFile);

export const superuser = 'efb';

interface ClusterOptions {
  folder: string;
  durable: boolean;
  onCreating?: () => void;
}

export interface Cluster {
  readonly dataFolder: string;
  readonly password: string;
}

const give = async (path: string, account: Account | undefined) => {
  if (account) await chown(path, account.uid, account.gid);
};

/**
 * The Postgres account often cannot traverse root's home folder. Then the files move to the system folder, and a link
 * replaces them.
 */
const reachable = async (folder: string, account: Account | undefined): Promise<string> => {
  await mkdir(folder, { recursive: true });
  const real = await realpath(folder);
  await give(real, account);
  if (canReach(account, real)) return real;
  const isLink = (await lstat(folder)).isSymbolicLink();
  if (isLink || (await readdir(folder)).length > 0) {
    throw new OperatorError(
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

const passwordName = 'efb-password';

/** The initdb of a killed service may still write to the folder for a moment. */
const patiently = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };

/**
 * Removes what a killed first start left: half a cluster, and its password in clear text. We hold the folder's lock.
 */
const removeLeftovers = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder))
    if (/^(?:init|password)-/.test(name)) await rm(join(folder, name), patiently);
};

/** Files without which the server cannot start or be logged in to. */
const essential = ['PG_VERSION', 'global/pg_control', 'postgresql.conf', passwordName];

/** Throws an error in plain words if an essential file is missing or empty, as in an incomplete copy. */
const checkComplete = async (dataFolder: string): Promise<void> => {
  for (const name of essential) {
    const isThere = await stat(join(dataFolder, name)).then(
      ({ size }) => size > 0,
      (error: unknown) => {
        if (codeOf(error) === 'ENOENT') return false;
        throw error;
      },
    );
    if (isThere) continue;
    throw new OperatorError(
      `${dataFolder} is not a complete database, ${name} is missing or empty: restore the folder from a backup, or move ` +
        'it away, and the next start creates a new database.',
    );
  }
};

const initialise = async (
  folder: string,
  dataFolder: string,
  binaries: Binaries,
  account: Account | undefined,
  { durable, onCreating }: ClusterOptions,
) => {
  const half = await mkdtemp(join(folder, 'init-'));
  await give(half, account);
  const password = randomBytes(24).toString('base64url');
  const passwordFile = join(folder, `password-${process.pid}`);
  await writeFileAtomic(passwordFile, `${password}\n`, 0o600);
  await give(passwordFile, account);
  try {
    const creating = run(
      binaries.initdb,
      [
        `--pgdata=${half}`,
        `--username=${superuser}`,
        `--pwfile=${passwordFile}`,
        `--auth=${durable ? 'scram-sha-256' : 'trust'}`,
        '--encoding=UTF8',
        '--no-locale',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
        ...(durable ? [] : ['--no-sync']),
      ],
      { ...account, cwd: folder, env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' } },
    );
    onCreating?.();
    await creating;
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    await rm(half, { recursive: true, force: true });
    throw new OperatorError(`The embedded database could not be created: ${output}`, { cause: error });
  } finally {
    await rm(passwordFile, { force: true });
  }
  await writeFileAtomic(join(half, passwordName), password, 0o600);
  await rename(half, dataFolder);
  await syncFolder(folder);
};

/**
 * Opens the cluster in `folder`, creating it if absent; an interrupted attempt leaves nothing that looks like a
 * cluster.
 */
export const openCluster = async (
  options: ClusterOptions,
  binaries: Binaries,
  account: Account | undefined,
): Promise<Cluster> => {
  const real = await reachable(options.folder, account);
  const dataFolder = join(real, '18');
  await removeLeftovers(real);
  if (!existsSync(dataFolder)) await initialise(real, dataFolder, binaries, account, options);
  await checkComplete(dataFolder);
  return { dataFolder, password: await readFile(join(dataFolder, passwordName), 'utf8') };
};
