/** No export of the source that only tests use: such code proves itself and nothing else. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** What tests compare the source with, by name, and why it is not in a test file. */
const forTests: Readonly<Record<string, string>> = {
  knownSchemaVersion: 'the version of a package, which a test compares',
  longestTakeoverMs: 'a limit that the figures next to it promise',
  openPad: 'the example of the client package, which the guide shows',
  ownedTables: 'a list of the schema, which a test holds to it',
  takeoverLimitMs: 'a limit that the figures next to it promise',
};
/** Their exports serve tests, demos and benchmarks. */
const isForTests = (path: string): boolean => /\.test\.ts$|fixtures|\/simulated[-/]/.test(path);

const sourcesOf = async (folder: string): Promise<string[]> =>
  (await readdir(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !isForTests(path) && !path.includes('node_modules'));

test('Every exported value is used by something else than tests', async () => {
  const paths = (await Promise.all(['apps', 'libs', 'tools', 'clients'].map(sourcesOf))).flat();
  const counts = new Map<string, number>();
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  const codes = texts.map((text) => text.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, ''));
  for (const code of codes)
    for (const [word] of code.matchAll(/[A-Za-z_$][\w$]*/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const names = codes.flatMap((code) =>
    [...code.matchAll(/^export (?:const|class) ([\w$]+)/gm)].map(([, name = '']) => name),
  );
  expect(names.length).toBeGreaterThan(1_000);
  const unused = names.filter((name) => counts.get(name) === 1);
  expect(unused.toSorted()).toEqual(Object.keys(forTests));
});
