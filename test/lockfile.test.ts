import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface Locked {
  version?: string;
  resolved?: string;
  /** A package of this repository. */
  link?: boolean;
  optionalDependencies?: Record<string, string>;
  hasInstallScript?: boolean;
  deprecated?: string;
}

const root = join(import.meta.dirname, '..');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};

// npm 11 refuses `npm ci` when the lock omits a package of another platform that the registry does not have.
test('The lock file contains every optional dependency of every platform', () => {
  const held = new Set(Object.keys(lock.packages).map((path) => path.split('node_modules/').at(-1)));
  const wanted = Object.values(lock.packages).flatMap((entry) =>
    Object.keys(entry.optionalDependencies ?? {}),
  );
  expect(wanted.length).toBeGreaterThan(50);
  expect(wanted.filter((name) => !held.has(name))).toEqual([]);
});

test('The lock file names no package host', () => {
  const resolved = Object.values(lock.packages).filter(({ resolved: from }) => from !== undefined);
  expect(resolved.map(({ resolved: from, link }) => [from, link])).toEqual([['clients/generators', true]]);
});

test('An npm ci has nothing to warn of: no package wants a newer Node than engines, or an install script that allowScripts does not judge; none is deprecated', () => {
  const { status, stdout } = spawnSync(process.execPath, ['.ci/trim-lock.cjs', '--check'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stdout, status === 0 ? '' : 'npm run lock mends it']).toEqual([0, '', '']);
  const namesOf = (kind: 'hasInstallScript' | 'deprecated') =>
    Object.entries(lock.packages).flatMap(([path, entry]) =>
      entry[kind] === undefined ? [] : [path.split('node_modules/').at(-1)],
    );
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    allowScripts: Record<string, boolean>;
  };
  expect(new Set(namesOf('hasInstallScript'))).toEqual(new Set(Object.keys(allowScripts)));
  expect(namesOf('deprecated')).toEqual([]);
});
