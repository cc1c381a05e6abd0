import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  version?: string;
  resolved?: string;
  /** A package of this repository. */
  link?: boolean;
  engines?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
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

// They run with the Node that comes with the service, so npm need not warn of the one that runs npm.
test('Generators of clients state no engines in the lock file', () => {
  const generators = Object.entries(lock.packages).filter(([path]) =>
    /^clients\/generators\/|@(?:orval|hey-api)\//.test(path),
  );
  expect(generators.length).toBeGreaterThan(20);
  expect(generators.filter(([, { engines }]) => engines).map(([path]) => path)).toEqual([]);
});
