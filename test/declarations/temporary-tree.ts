/**
 * A copy of the project in a temporary folder, where a test can break or add files and run the project's tools.
 */
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');

const copied = [
  'apps',
  'libs',
  'tools',
  'db',
  'docs',
  'clients/typescript',
  'test',
  'CHANGELOG.md',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  '.oxlintrc.json',
  '.oxfmtrc.json',
];

interface Ran {
  status: number | null;
  output: string;
}

export interface TemporaryTree {
  folder: string;
  /** Writes files by their path from the project's root. */
  write: (files: Readonly<Record<string, string>>) => Promise<void>;
  /** Runs a command of the project's dependencies, or `node`; resolves with its status and complete output. */
  run: (command: string, args: readonly string[]) => Promise<Ran>;
  /** Type check of these files and what they import: nothing else has changed. */
  check: (files: readonly string[]) => Promise<Ran>;
  remove: () => Promise<void>;
}

export const temporaryTree = async (): Promise<TemporaryTree> => {
  const folder = await mkdtemp(join(tmpdir(), `efb-test-${process.ppid}-tree-`));
  for (const name of copied) await cp(join(root, name), join(folder, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const write = async (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  };
  const run = (command: string, args: readonly string[]): Promise<Ran> =>
    new Promise((done, failed) => {
      const file = command === 'node' ? process.execPath : join(root, 'node_modules/.bin', command);
      const child = spawn(file, [...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      const add = (chunk: Buffer) => {
        output += chunk.toString();
      };
      child.stdout.on('data', add);
      child.stderr.on('data', add);
      child.once('error', failed);
      child.once('close', (status) => done({ status, output }));
    });
  return {
    folder,
    write,
    run,
    check: async (files) => {
      const compilerOptions = {
        lib: ['esnext', 'dom', 'dom.iterable'],
        // node_modules are the project's: what its own check keeps there stays.
        tsBuildInfoFile: 'some.tsbuildinfo',
      };
      // The first has the types of what vitest provides, the second those of packages without any.
      const include = ['test/global-setup.ts', 'libs/**/*.d.ts', ...files];
      await write({
        'tsconfig.some.json': JSON.stringify({ extends: './tsconfig.json', compilerOptions, include }),
      });
      return run('tsc', ['-p', 'tsconfig.some.json', '--noEmit', '--pretty', 'false', '--checkers', '1']);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};
