/**
 * The two versions of an upgrade in adjacent folders: an earlier commit, and the working tree with one more
 * migration to finish.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);
const maxBuffer = 1e8;

/** Each is the root of a working copy with packages. */
export interface Versions {
  ref: string;
  old: string;
  new: string;
  /** Migrations of the new one that the old one does not know, the last one of which runs at `finish`. */
  added: string[];
}

/**
 * Run at `finish`, after which the old version is refused; without such a migration it could still be
 * started.
 */
export const trialMigration = '9999_trial.sql';
const trialText = `-- After the upgrade: only a backup leads back over it.\nCREATE TABLE upgrade_trial (id bigint PRIMARY KEY);\n`;

const git = async (...args: string[]): Promise<string> =>
  (await run('git', args, { cwd: root, maxBuffer })).stdout.trim();

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

const migrationsOf = async (ref: string): Promise<string[]> =>
  lines(await git('ls-tree', '--name-only', '--full-tree', `${ref}:db/migrations`)).sort();

/** The last tag, else the newest commit without the newest migration, so that there is one to run. */
export const earlierRef = async (): Promise<string> => {
  const tag = lines(await git('tag', '--list', 'v*', '--sort=-v:refname'))[0];
  if (tag !== undefined) return tag;
  const newest = (await migrationsOf('HEAD')).at(-1) ?? '';
  const added = lines(await git('log', '--format=%H', '--diff-filter=A', '--', `db/migrations/${newest}`))[0];
  if (added === undefined) throw new Error(`no commit adds ${newest}: is the history complete?`);
  return git('rev-parse', '--short', `${added}^`);
};

const extractCommit = async (ref: string, folder: string): Promise<void> => {
  const archive = `${folder}.tar`;
  await git('archive', '--format=tar', `--output=${archive}`, ref);
  await run('tar', ['-xf', archive, '-C', folder]);
};

/** Copies the tree with uncommitted changes. */
const copyTree = async (folder: string): Promise<void> => {
  const files = lines(await git('ls-files', '--cached', '--others', '--exclude-standard'));
  const deleted = new Set(lines(await git('ls-files', '--deleted')));
  for (const file of files) {
    if (deleted.has(file)) continue;
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(root, file), join(folder, file));
  }
};

/**
 * Copies both into `folder`. They share the packages of the working tree, which include those of the earlier
 * version.
 */
export const extractVersions = async (folder: string, ref: string): Promise<Versions> => {
  const versions = { old: join(folder, 'old'), new: join(folder, 'new') };
  for (const each of Object.values(versions)) {
    await mkdir(each);
    await symlink(join(root, 'node_modules'), join(each, 'node_modules'));
  }
  await extractCommit(ref, versions.old);
  await copyTree(versions.new);
  await writeFile(join(versions.new, 'db/migrations', trialMigration), trialText);
  const known = new Set(await migrationsOf(ref));
  const added = (await migrationsOf('HEAD')).filter((name) => !known.has(name));
  return { ref, ...versions, added: [...added, trialMigration] };
};

/** Runs a script of a version to its end. */
export const runScript = async (
  folder: string,
  [script = '', ...args]: readonly string[],
  env: Record<string, string>,
): Promise<{ ok: boolean; output: string }> => {
  const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer };
  try {
    const { stdout, stderr } = await run(process.execPath, [join(folder, script), ...args], options);
    return { ok: true, output: `${stdout}${stderr}`.trim() };
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return { ok: false, output: `${stdout}${stderr}`.trim() || String(error) };
  }
};
