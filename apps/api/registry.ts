import { join, relative } from 'node:path';
import { editDistance } from '#domain/fields/nearest.ts';
import { loadFolder } from '#platform/load-folder.ts';
import type { Operation, OperationKind, Registered } from './define.ts';
import { webhooks } from './webhooks/webhooks.ts';

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

/** Words that other APIs use for our terms. */
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

/** Words of `getFlightPlan` or `import_ofp`, without generic verbs. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '' && !/^(?:get|fetch|read|load|my|current|api|list|query)$/.test(word));

/**
 * Words in the name count more than in the summary: `metar` is in the summary of `weather`, `landing` in that of
 * `performance`.
 */
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

/** The operations of each entry point: `/api`, `/subscription.php`, `/api/webhooks`. */
export interface Registries {
  queries: Registry;
  actions: Registry;
  webhooks: Registry;
}

interface Declared {
  default?: Operation;
  /** The signed action that does what the query does. */
  action?: Operation;
}

/**
 * Loads the declarations of a folder by name, without its `common` folders. Startup fails unless each file's base name
 * is the wire name of its default export.
 */
const declaredIn = async (folder: 'queries' | 'actions', kind: OperationKind): Promise<Registered[][]> => {
  const root = join(import.meta.dirname, '..', '..');
  return (await loadFolder(join(import.meta.dirname, folder))).map(({ path, name, module }) => {
    const file = relative(root, path);
    const { default: own, action } = module as Declared;
    if (own?.name !== name || own.kind !== kind)
      throw new Error(`${file} must default-export a ${kind} named "${name}"`);
    return [own, ...(action ? [action] : [])].map((operation) => ({ ...operation, file }));
  });
};

const loadAll = async (): Promise<Registries> => {
  const declared = await Promise.all([declaredIn('queries', 'query'), declaredIn('actions', 'action')]);
  const operations = declared.flat(2);
  const actions = operations.filter(({ kind }) => kind === 'action');
  return {
    queries: registryOf(operations.filter(({ kind }) => kind === 'query')),
    actions: registryOf(actions.toSorted((a, b) => (a.name < b.name ? -1 : 1))),
    webhooks: registryOf(webhooks.map((webhook) => ({ ...webhook, file: 'apps/api/webhooks/webhooks.ts' }))),
  };
};

let all: Promise<Registries> | undefined;

/** All operations, loaded once. */
export const loadRegistries = (): Promise<Registries> => (all ??= loadAll());
