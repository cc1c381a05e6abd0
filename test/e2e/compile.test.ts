import { spawnSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { bareEnvironment } from '../support/process.ts';

const root = join(import.meta.dirname, '../..');
const compile = 'apps/compile.ts';

/** Prints at the exit of a process whether it has loaded Node's TypeScript compiler. */
const hook = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => console.log('compiler ' + process.moduleLoadList.some((name) => name.includes('amaro'))));",
)}`;

const loadsCompiler = (script: string, cache: string): string | undefined => {
  const { stdout } = spawnSync(process.execPath, ['--import', hook, join(root, script)], {
    cwd: root,
    env: { ...bareEnvironment(), NODE_COMPILE_CACHE: cache, DATA_DIR: cache },
    encoding: 'utf8',
  });
  return /^compiler (\w+)$/m.exec(stdout)?.[1];
};

let [cache, empty] = ['', ''];
beforeAll(async () => {
  cache = await mkdtemp(join(inject('runFolder'), 'compiled-'));
  empty = await mkdtemp(join(inject('runFolder'), 'empty-'));
  loadsCompiler(compile, cache);
});

// Without a database the tiers end when all their modules are loaded; `compile` itself loads what they find by folder, too.
test.each([compile, 'apps/api/main.ts', 'apps/workers/main.ts', 'apps/scheduler/main.ts'])(
  '%s finds all its modules compiled, and loads no compiler',
  (script) => {
    expect(loadsCompiler(script, cache)).toBe('false');
  },
);

test('A tier that finds nothing compiled loads the compiler', () => {
  expect(loadsCompiler('apps/api/main.ts', empty)).toBe('true');
});
