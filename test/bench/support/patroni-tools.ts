/** The programs that Patroni needs of a Postgres 18: the packaged ones, or those of the embedded server with what it lacks. */
import { existsSync } from 'node:fs';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { postgresAccount } from '#platform/embedded/account.ts';
import { locateBinaries } from '#platform/embedded/binaries.ts';
import { onPath } from '#test/support/on-path.ts';

const packaged = '/usr/lib/postgresql/18/bin';
const older = [17, 16, 15].map((version) => `/usr/lib/postgresql/${version}/bin`);
const programs = ['patroni', 'patronictl', 'etcd', 'psql'];

/** What is not installed, for a sentence. */
export const missingPrograms = (): string[] => {
  const missing = programs.filter((name) => onPath(name) === null);
  const hasTools = [packaged, ...older].some((folder) => existsSync(join(folder, 'pg_controldata')));
  return hasTools ? missing : [...missing, 'pg_controldata'];
};

/** "Making a base backup using the low level API", from a server on this machine, in the place of pg_basebackup. */
const baseBackup = (password: string): string => `#!/bin/sh
set -e
for arg; do case $arg in --pgdata=*) to=\${arg#*=};; --dbname=*) from=\${arg#*=};; esac; done
unset PGPASSFILE
export PGPASSWORD=${password}
# The last of several names counts.
query="psql --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1"
from="$from user=postgres dbname=postgres"
folder=$($query "$from" --command='SHOW data_directory')
mkdir -p -m 700 "$to"
$query "$from" <<END
SELECT pg_backup_start('patroni', true);
\\! tar -C "$folder" --exclude=postmaster.pid --exclude=postmaster.opts --exclude=./pg_wal/* --exclude=./pg_replslot/* --warning=no-file-changed --warning=no-file-removed -cf - . | tar -C "$to" -xpf -
\\o $to/backup_label
SELECT labelfile FROM pg_backup_stop(false);
END
mkdir -p -m 700 "$to/pg_wal/archive_status"
`;

/** A folder for `bin_dir`; `replicates` tells how a server is copied with it. */
export const preparePrograms = async (
  folder: string,
  password: string,
): Promise<{ bin: string; replicates: string }> => {
  if (existsSync(join(packaged, 'pg_basebackup')))
    return { bin: packaged, replicates: 'pg_basebackup and pg_rewind of Postgres 18' };
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const embedded = dirname((await locateBinaries(postgresAccount())).postgres);
  await chmod(join(embedded, 'pg_ctl'), 0o755);
  for (const name of ['postgres', 'initdb', 'pg_ctl']) await symlink(join(embedded, name), join(bin, name));
  // They read a control file and ping a server of 18 as well: the fields that Patroni reads are at the same place.
  const tools = older.find((path) => existsSync(join(path, 'pg_controldata'))) ?? '';
  for (const name of ['pg_controldata', 'pg_isready']) await symlink(join(tools, name), join(bin, name));
  await writeFile(join(bin, 'pg_basebackup'), baseBackup(password), { mode: 0o755 });
  return { bin, replicates: 'a copy with the low-level API instead of pg_basebackup, no pg_rewind' };
};
