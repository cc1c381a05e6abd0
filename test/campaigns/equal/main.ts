/**
 * Compares every text and 500 answers of the engine between two states of the repository, byte for byte:
 * `npx node test/campaigns/equal/main.ts COMMIT [COMMIT]`, by default against the working tree.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as Recorder from './record.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const campaign = 'test/campaigns/equal';
const shown = 10;
const room = 1 << 29;

/** Source of a recording: a folder with a commit's sources and its own recorder, or the working tree. */
const sourcesOf = async (commit: string | undefined, folder: string): Promise<string> => {
  if (commit === undefined) return repository;
  await mkdir(folder);
  const input = execFileSync('git', ['archive', commit, 'libs', 'tools', campaign, 'package.json'], {
    cwd: repository,
    maxBuffer: room,
  });
  execFileSync('tar', ['-x', '-C', folder], { input });
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  return folder;
};

const [first, second] = process.argv.slice(2);
if (first === undefined) throw new Error('a commit is needed');
const folder = await mkdtemp(join(tmpdir(), 'equal-'));
const records = [];
for (const [name, commit] of [
  ['before', first],
  ['after', second],
] as const) {
  const sources = await sourcesOf(commit, join(folder, `${name}-sources`));
  const { record }: typeof Recorder = await import(join(sources, campaign, 'record.ts'));
  const entries = await record();
  await writeFile(join(folder, `${name}.json`), JSON.stringify(Object.fromEntries(entries), null, 1));
  records.push(entries);
}
const [before = new Map<string, string>(), after = new Map<string, string>()] = records;
const keys = [...new Set([...before.keys(), ...after.keys()])];
const different = keys.filter((key) => before.get(key) !== after.get(key));
console.log(`${keys.length - different.length} of ${keys.length} equal; ${folder}`);
for (const key of different.slice(0, shown)) {
  const [was = '', is = ''] = [before.get(key), after.get(key)];
  const from = Math.max(0, was.split('').findIndex((letter, index) => letter !== is[index]) - 60);
  console.log(`${key}\n  - ${was.slice(from, from + 200)}\n  + ${is.slice(from, from + 200)}`);
}
process.exitCode = different.length > 0 ? 1 : 0;
