/** No file exports anything that no other file imports, or that only tests use. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');

/** Exports that only tests import to compare the source with, and why they are not in a test file. */
const forTests: Readonly<Record<string, string>> = {
  ownedTables: 'a list of the schema, which a test holds to it',
};
const isForTests = (path: string): boolean => /\.test\.ts$|^test\/|fixtures|\/simulated[-/]/.test(path);
interface Export {
  path: string;
  name: string;
  /** How often its own file names it. */
  uses: number;
}

/** Exports in a query's file that the registry uses. */
const registered = /^apps\/api\/queries\/\S+ action$/;
/** Exports with other users: in the client package, in file templates, and in modules chosen at run time. */
const hasOtherUsers = ({ path, name }: Export): boolean =>
  /^clients\/|^tools\/(?:decode|reference\/client)\//.test(path) || registered.test(`${path} ${name}`);

const exportsOf = (path: string, code: string): Export[] =>
  [...code.matchAll(/^export (?:abstract )?(?:const|class|interface|type) ([\w$]+)/gm)].map(
    ([, name = '']) => ({
      path,
      name,
      uses: [...code.matchAll(/[\w$]+/g)].filter(([word]) => word === name).length,
    }),
  );

const homeOf = (from: string, specifier: string): string => {
  const [alias = '', ...rest] = specifier.split('/');
  const target: unknown = Reflect.get(packageJson.imports, `${alias}/*`);
  return typeof target === 'string' ? join(target.replace('*', ''), ...rest) : join(dirname(from), specifier);
};

/** Paths with the names that the file imports from them; `*`: any. A folder: its files are chosen at run time. */
const importsOf = (path: string, code: string): [home: string, name: string][] => [
  ...[
    ...code.matchAll(/^(?:import|export) (?:type )?(?:\w+, )?(\{[^}]*\}|\*[\w ]*) from '([^']+)'/gm),
  ].flatMap(([, names = '', specifier = '']) =>
    (names.startsWith('*') ? ['*'] : names.slice(1, -1).split(','))
      .map((name) => name.trim().split(' as ')[0] ?? '')
      .map((name): [string, string] => [homeOf(path, specifier), name]),
  ),
  ...[...code.matchAll(/import\(\s*['`]([^'`$]+)/g)].map(([, specifier = '']): [string, string] => [
    homeOf(path, specifier),
    '*',
  ]),
];

const exported: Export[] = [];
/** Files that import something, by its path and name. */
const importers = new Map<string, Set<string>>();
beforeAll(async () => {
  const folders = ['apps', 'libs', 'tools', 'clients', 'test'];
  const paths = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true }))
        .map((path) => join(folder, path))
        .filter((path) => /\.[cm]?[jt]s$/.test(path) && !path.includes('node_modules')),
    ),
  );
  for (const path of paths.flat()) {
    const code = (await readFile(join(root, path), 'utf8')).replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '');
    if (!isForTests(path)) exported.push(...exportsOf(path, code).filter((each) => !hasOtherUsers(each)));
    for (const [home, name] of importsOf(path, code)) {
      const id = `${home} ${name}`;
      importers.set(id, (importers.get(id) ?? new Set()).add(path));
    }
  }
});

const importersOf = ({ path, name }: Export): string[] =>
  [`${path} ${name}`, `${path} *`, `${dirname(path)}/ *`].flatMap((id) => [...(importers.get(id) ?? [])]);

test('Every export is imported by another file', () => {
  expect(exported.length).toBeGreaterThan(3_500);
  const idle = exported.filter((each) => importersOf(each).length === 0);
  expect(idle.map(({ path, name }) => `${path} ${name}`)).toEqual([]);
});

test('Every exported name is used outside tests, too', () => {
  const unused = exported.filter((each) => each.uses === 1 && importersOf(each).every(isForTests));
  expect(unused.map(({ name }) => name).toSorted()).toEqual(Object.keys(forTests));
});
