import { readdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { editDistance } from '#domain/fields/nearest.ts';
import type { Operation, OperationKind, Registered } from './define.ts';

export type { Registered } from './define.ts';

export interface Registry {
  readonly operations: readonly Registered[];
  /** By name or alias. A Map, so that `__proto__` is just unknown. */
  find: (name: string) => Registered | undefined;
  /** Known names close to what was asked, nearest first. */
  nearest: (name: string) => string[];
}

const maxNearest = 3;
const maxNameLength = 60;

/** What other interfaces call a thing. */
const otherWords: Readonly<Record<string, string>> = {
  me: 'refreshUserData',
  user: 'refreshUserData',
  account: 'refreshUserData',
  settings: 'saveUserSettings',
  preferences: 'saveUserSettings',
  simbrief: 'ofpImport',
  plan: 'ofpGet',
  shares: 'ofpShareList',
  notams: 'airport',
};

/** `getFlightPlan`, `import_ofp`, without the verbs that any query could have. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '' && !/^(?:get|fetch|read|load|my|current|api|list|query)$/.test(word));

/** Words of the name count more than those of the summary: `metar` is in that of `weather`, `landing` in that of `performance`. */
const scoreOf = ({ name, summary }: Operation, words: readonly string[]): number => {
  const [ofName, ofSummary] = [wordsOf(name), wordsOf(summary)];
  const score = (word: string): number => (ofName.includes(word) ? 2 : Number(ofSummary.includes(word)));
  return words.reduce((sum, word) => sum + score(word), 0);
};

export const registryOf = (operations: readonly Registered[]): Registry => {
  const byName = new Map<string, Registered>();
  for (const operation of operations) {
    for (const name of [operation.name, ...(operation.aliases ?? [])]) {
      const other = byName.get(name);
      if (other) throw new Error(`${operation.file} and ${other.file} both answer to "${name}"`);
      byName.set(name, operation);
    }
  }
  return {
    operations,
    find: (name) => byName.get(name),
    nearest: (name) => {
      const asked = name.slice(0, maxNameLength);
      const words = wordsOf(asked);
      const meant = words.flatMap((word) => otherWords[word] ?? []).filter((known) => byName.has(known));
      const typed = [...byName.keys()]
        .map((known) => ({ known, d: editDistance(asked.toLowerCase(), known.toLowerCase()) }))
        .filter(({ known, d }) => d <= Math.max(3, Math.ceil(known.length / 3)))
        .toSorted((a, b) => a.d - b.d)
        .map(({ known }) => known);
      const named = operations
        .map((operation) => ({ known: operation.name, score: scoreOf(operation, words) }))
        .filter(({ score }) => score > 0)
        .toSorted((a, b) => b.score - a.score)
        .map(({ known }) => known);
      const found = [meant, typed, named].find((each) => each.length > 0) ?? [];
      return [...new Set(found)].slice(0, maxNearest);
    },
  };
};

export interface RegistrySource {
  kind: OperationKind;
  /** Every file of its folders declares one operation of this kind; what they share is in their `common`. */
  folder: string;
}

const queries: RegistrySource = { kind: 'query', folder: join(import.meta.dirname, 'queries') };
const actions: RegistrySource = { kind: 'action', folder: join(import.meta.dirname, 'actions') };
const webhooks: RegistrySource = { kind: 'webhook', folder: join(import.meta.dirname, 'webhooks') };

/** The operations of each entry point: `/api`, `/subscription.php`, `/api/webhooks`. */
export interface Registries {
  queries: Registry;
  actions: Registry;
  webhooks: Registry;
}

/** Loads every operation of a folder: the file's base name must be the wire name, or startup fails. */
export const loadRegistry = async ({ kind, folder }: RegistrySource = queries): Promise<Registry> => {
  const root = join(import.meta.dirname, '..', '..');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .filter((entry) => basename(entry.parentPath) !== 'common')
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const operations = await Promise.all(
    files.map(async (file) => {
      const module = (await import(pathToFileURL(file).href)) as { default?: Operation };
      const expected = basename(file, '.ts');
      if (module.default?.name !== expected || module.default.kind !== kind) {
        throw new Error(`${relative(root, file)} must default-export a ${kind} named "${expected}"`);
      }
      return { ...module.default, file: relative(root, file) };
    }),
  );
  return registryOf(operations);
};

const loadAll = async (): Promise<Registries> => {
  const [q, a, w] = await Promise.all([loadRegistry(queries), loadRegistry(actions), loadRegistry(webhooks)]);
  return { queries: q, actions: a, webhooks: w };
};

let all: Promise<Registries> | undefined;

/** Everything that the API answers to, loaded once. */
export const loadRegistries = (): Promise<Registries> => (all ??= loadAll());
