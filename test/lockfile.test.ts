import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface Locked {
  version?: string;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
  hasInstallScript?: boolean;
  deprecated?: string;
}

const root = join(import.meta.dirname, '..');
const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));
const folders = ['.', 'clients/interop'];
const lockOf = (folder: string) =>
  (readJson(`${folder}/package-lock.json`) as { packages: Record<string, Locked> }).packages;

// npm 11 refuses `npm ci` when the lock omits a package of another platform that the registry does not have.
test.each(folders)('The lock file in %s contains every optional dependency of every platform', (folder) => {
  const packages = lockOf(folder);
  const held = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
  const wanted = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
  expect(wanted.length).toBeGreaterThan(20);
  expect(wanted.filter((name) => !held.has(name))).toEqual([]);
});

test.each(folders)('The lock file in %s names no package host', (folder) => {
  const resolved = Object.values(lockOf(folder)).filter(({ resolved: from }) => from !== undefined);
  expect(resolved).toEqual([]);
});

test('No package requires a newer Node than npm does for the installation', () => {
  const { status, stdout } = spawnSync(process.execPath, ['.ci/trim-lock.cjs', '--check'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stdout, status === 0 ? '' : 'npm run lock mends it']).toEqual([0, '', '']);
});

test.each(folders)(
  'An npm ci in %s prints no warning, as allowScripts covers each install script and nothing is deprecated',
  (folder) => {
    const namesOf = (kind: 'hasInstallScript' | 'deprecated') =>
      Object.entries(lockOf(folder)).flatMap(([path, entry]) =>
        entry[kind] === undefined ? [] : [path.split('node_modules/').at(-1)],
      );
    const { allowScripts } = readJson(`${folder}/package.json`) as { allowScripts: Record<string, boolean> };
    expect(new Set(namesOf('hasInstallScript'))).toEqual(new Set(Object.keys(allowScripts)));
    expect(namesOf('deprecated')).toEqual([]);
  },
);

test('The dependencies page names each package of the service, of tests and of clients/interop, and no other', () => {
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;
  const named = folders.flatMap((folder) => {
    const given = readJson(`${folder}/package.json`) as Partial<
      Record<(typeof kinds)[number], Record<string, string>>
    >;
    return kinds.flatMap((kind) => Object.keys(given[kind] ?? {}));
  });
  const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const explained = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)]);
  expect(explained.map(([, name = '']) => name).toSorted()).toEqual(named.toSorted());
});
