/**
 * The architecture's rules as functions of file texts, so that the test of the code base and the tests of the rules
 * share them.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { separate } from './test-projects.ts';

export const root = join(import.meta.dirname, '../..');

/** Texts by path from the project's root. */
export type Tree = ReadonlyMap<string, string>;

/** Every TypeScript file of apps, libs, tools and clients. */
export const readTree = (): Tree =>
  new Map(
    ['apps', 'libs', 'tools', 'clients/typescript/src'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => [relative(root, path), readFileSync(path, 'utf8')] as const),
    ),
  );

/** Files used in production. */
const isCode = (file: string): boolean => !/\.(?:test|d)\.ts$/.test(file) && !file.includes('/fixtures/');

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s+(?<clause>[^'"\n;]*?(?:\{[^}]*\})?[^'"\n;]*?)from\s+['"](?<from>[^'"]+)['"]|import\(\s*['"](?<lazy>[^'"]+)['"]\s*\)|(?:^|\n)import\s+['"](?<bare>[^'"]+)['"]/g;

interface Import {
  specifier: string;
  /** Imported names as written; empty for an import without names. */
  clause: string;
}

export const importsOf = (text: string): Import[] =>
  [...text.matchAll(importPattern)].map(({ groups }) => ({
    specifier: groups?.['from'] ?? groups?.['lazy'] ?? groups?.['bare'] ?? '',
    clause: groups?.['clause'] ?? '',
  }));

interface Layer {
  folder: string;
  /** Layers whose files it may import. */
  layers: readonly string[];
  /** npm packages it may import; null: any. */
  packages: readonly string[] | null;
  node: boolean;
}

const apiPackages = [
  'lru-cache',
  'koa',
  '@koa/router',
  'formidable',
  'koa-body',
  '@tus/server',
  'zod',
  'pino',
  'prom-client',
  'leaflet',
  'world-atlas',
  'markdown-it',
  'topojson-client',
  'topojson-specification',
];

const layers: readonly Layer[] = [
  { folder: 'libs/perf', layers: ['#perf', '#domain'], packages: [], node: false },
  { folder: 'libs/drawing', layers: ['#drawing', '#perf', '#domain'], packages: [], node: false },
  { folder: 'libs/domain', layers: ['#domain'], packages: ['zod', 'magvar'], node: false },
  { folder: 'libs/platform', layers: ['#domain', '#platform'], packages: null, node: true },
  { folder: 'libs/store', layers: ['#domain', '#platform', '#store'], packages: null, node: true },
  {
    folder: 'libs/data-sources',
    layers: ['#domain', '#platform', '#store', '#data'],
    packages: null,
    node: true,
  },
  {
    folder: 'libs/simulated',
    layers: ['#domain', '#platform', '#store', '#data'],
    packages: ['zod'],
    node: true,
  },
  {
    folder: 'libs/commands',
    layers: ['#domain', '#platform', '#store', '#data', '#commands'],
    packages: ['zod'],
    node: false,
  },
  {
    folder: 'libs/operator',
    layers: ['#domain', '#platform', '#store', '#data', '#commands', '#operator'],
    packages: ['zod'],
    node: true,
  },
  {
    folder: 'apps/api',
    layers: [
      '#domain',
      '#perf',
      '#drawing',
      '#platform',
      '#store',
      '#data',
      '#simulated',
      '#commands',
      '#operator',
      '#api',
    ],
    packages: apiPackages,
    node: true,
  },
  {
    folder: 'apps/workers',
    layers: ['#domain', '#perf', '#drawing', '#platform', '#store', '#data', '#commands', '#workers'],
    packages: ['sharp', 'pdfkit', 'zod', 'pino'],
    node: true,
  },
  {
    folder: 'apps/scheduler',
    layers: ['#domain', '#platform', '#store', '#data', '#simulated', '#commands', '#scheduler'],
    packages: ['zod', 'pino'],
    node: true,
  },
  // The image has no tools, so nothing above imports them.
  {
    folder: 'tools',
    layers: ['#domain', '#perf', '#platform', '#store', '#data', '#simulated', '#commands', '#api', '#tools'],
    packages: null,
    node: true,
  },
  // Browsers and Deno run it as well.
  { folder: 'clients/typescript', layers: [], packages: ['tus-js-client'], node: false },
];

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

const mayImport = (layer: Layer, file: string, specifier: string): boolean => {
  if (specifier.startsWith('.')) return join(file, '..', specifier).startsWith(`${layer.folder}/`);
  const alias = /^(#\w+)\//.exec(specifier)?.[1];
  if (alias !== undefined) return layer.layers.includes(alias);
  if (specifier.startsWith('node:')) return layer.node;
  return layer.packages === null || layer.packages.includes(packageOf(specifier));
};

const under = (...folders: readonly string[]): RegExp => new RegExp(`^(?:${folders.join('|')})/`);

/** Folders whose files each declare one operation, job or feed. */
const declarations = under(
  'apps/api/queries',
  'apps/api/actions',
  'apps/api/webhooks',
  'apps/workers/jobs',
  'apps/scheduler/feeds',
);

const mayReadEnvironment = under('apps/supervisor', 'apps/ops', 'tools', 'tools', 'libs/platform/embedded');
const environmentReaders: ReadonlySet<string> = new Set([
  'libs/platform/config/config.ts',
  'apps/main.ts',
  'apps/workers/fonts.ts',
]);

/** Folders under `postgres/` that are not resources of the specification. */
const technicalFolders: ReadonlySet<string> = new Set([
  'backup',
  'developer-keys',
  'feeds',
  'mail',
  'reports',
  'requests',
  'storage',
  'sweeps',
]);

const roomOf = (file: string): string | null =>
  /^(?:apps\/api\/queries|libs\/commands|libs\/store\/postgres)\/([^/]+)\//.exec(file)?.[1] ?? null;

/** A part of an aggregate, which files outside its folder do not import. */
const isInternal = (file: string, name: string, tree: Tree): boolean => {
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  const importers = [...tree].filter(([, text]) =>
    importsOf(text).some(
      ({ specifier, clause }) =>
        specifier.endsWith(file.slice(file.lastIndexOf('/'))) && new RegExp(`\\b${name}\\b`).test(clause),
    ),
  );
  return importers.length > 0 && importers.every(([path]) => path.startsWith(folder));
};

type Rule = (file: string, text: string, tree: Tree) => string[];

const rules = {
  imports: (file, text) => {
    const layer = layers.find(({ folder }) => file.startsWith(`${folder}/`));
    if (!layer || !isCode(file)) return [];
    return importsOf(text)
      .filter(({ specifier }) => !mayImport(layer, file, specifier))
      .map(({ specifier }) => `imports ${specifier}`);
  },

  'queries import no pages': (file, text) =>
    file.startsWith('apps/api/queries/') && isCode(file)
      ? importsOf(text)
          .filter(({ specifier }) => /(?:#api|\.\.)\/pages\//.test(specifier))
          .map(({ specifier }) => `imports ${specifier}`)
      : [],

  'no SQL in declarations': (file, text) =>
    declarations.test(file) && isCode(file)
      ? importsOf(text)
          .filter(
            ({ specifier, clause }) =>
              /(?:^|\/)(?:sql|pool)\.ts$/.test(specifier) && !clause.startsWith('type'),
          )
          .map(({ clause }) => `imports ${clause.trim()}`)
      : [],

  'reads and writes': (file, text, tree) =>
    /^libs\/store\/postgres\/[^/]+\//.test(file) && isCode(file)
      ? [...text.matchAll(/^export const (\w+) = (?:async )?(?:<[^>]*>)?\(\s*(?:db|tx): (ReadDb|Tx)\b/gm)]
          .filter(([, name = '', handle]) => !name.endsWith(handle === 'Tx' ? 'Writes' : 'Repo'))
          .filter(([, name = '']) => !isInternal(file, name, tree))
          .map(([, name, handle]) => `${name} takes a ${handle}`)
      : [],

  commands: (file, text) =>
    file.startsWith('libs/commands/') && isCode(file)
      ? [...text.matchAll(/^export const (\w+) = (?:async )?(?:<[^>]*>)?\(\s*(\w*)/gm)]
          // It calls a gateway between two transactions.
          .filter(([, name, first]) => first !== 'tx' && first !== 'db' && name !== 'syncOrder')
          .map(([, name]) => `${name} does not take the transaction first`)
      : [],

  'folders of resources': (file, _text, tree) => {
    const room = roomOf(file);
    if (room === null || technicalFolders.has(room)) return [];
    return [...tree.keys()].some((other) => other.startsWith(`libs/domain/${room}/`))
      ? []
      : [`"${room}" is not a resource of libs/domain`];
  },

  'stages know no field': (file, text) =>
    file.startsWith('apps/api/stages/') && isCode(file)
      ? [...text.matchAll(/['"`](email|api_key)['"`]/g)].map(([match]) => `names ${match}`)
      : [],

  'a manual transaction has a reason': (file, text) =>
    file.startsWith('apps/api/') && isCode(file) && /^(?! *\/\/).*\n +tx: 'manual',/m.test(text)
      ? ["tx: 'manual' without a comment above it that says why"]
      : [],

  environment: (file, text) =>
    isCode(file) &&
    text.includes('process.env') &&
    !mayReadEnvironment.test(file) &&
    !environmentReaders.has(file)
      ? ['reads process.env']
      : [],

  'only tracing knows OpenTelemetry': (file, text) =>
    isCode(file) && !file.startsWith('libs/platform/tracing/')
      ? importsOf(text)
          .filter(({ specifier }) => specifier.startsWith('@opentelemetry/'))
          .map(({ specifier }) => `imports ${specifier}`)
      : [],

  'SQL is not concatenated': (file, text) =>
    // Names of databases, roles and tables cannot be parameters; a backup reads them from the catalogue or checks them.
    isCode(file) &&
    !under('libs/platform/embedded', 'libs/store/postgres/backup').test(file) &&
    /\.query\(\s*`[^`]*\$\{(?!.*escapeIdentifier)/.test(text)
      ? ['concatenates SQL from text']
      : [],

  'tests share modules': (file, text) =>
    file.endsWith('.test.ts') && !separate.includes(file)
      ? [
          ...text.matchAll(
            /\b(?:vi\.(?:mock|doMock|stubEnv|stubGlobal|useFakeTimers)|process\.chdir)\b|\bprocess\.env(?:\.\w+|\[[^\]]+\])\s*=(?!=)/g,
          ),
        ].map(([match]) => `uses ${match}`)
      : [],

  length: (file, text) => {
    const lines = text.split('\n').length - 1;
    // Reference points are tables of figures; query types are generated.
    const isData = file.startsWith('tools/calibration/') || file.includes('/generated/');
    return isCode(file) && !isData && lines > 400 ? [`has ${lines} lines`] : [];
  },

  'no machine path, no suppressed type error': (_file, text) =>
    [...text.matchAll(/\/work\/|\/root\/|@ts-ignore|@ts-expect-error|\bas any *[;),\]}.]/g)].map(
      ([match]) => `contains ${match}`,
    ),
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof rules;

/** All violations in these files, as `rule: file what`. */
export const problemsOf = (tree: Tree, files: Tree = tree): string[] =>
  [...files].flatMap(([file, text]) =>
    Object.entries(rules).flatMap(([name, rule]) =>
      (rule as Rule)(file, text, tree).map((problem) => `${name}: ${file} ${problem}`),
    ),
  );

/** Entry points of processes, and files loaded by folder. */
const entries =
  /^apps\/(?:main|compile|(?:api|workers|scheduler|ops)\/main|ops\/(?:migrate|health)|api\/(?:queries|actions|webhooks)\/.*|(?:workers\/jobs|scheduler\/feeds|operator\/nouns)\/.*)\.ts$/;

const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries(manifest.imports).map(([name, target]) => [name.slice(0, -2), target.slice(2, -2)]),
);

const pathOf = (file: string, specifier: string): string => {
  const [alias = '', ...rest] = specifier.split('/');
  const folder = aliases.get(alias);
  return folder === undefined ? join(file, '..', specifier) : [folder, ...rest].join('/');
};

/** Paths that a file imports or starts as a thread or process. */
const linksOf = (file: string, text: string): string[] => [
  ...importsOf(text).map(({ specifier }) => pathOf(file, specifier)),
  ...[...text.matchAll(/'([\w./-]+\.ts)'/g)].flatMap(([, name = '']) => [name, join(file, '..', name)]),
];

const graphOf = (tree: Tree, links: typeof linksOf): ReadonlyMap<string, string[]> =>
  new Map(
    [...tree]
      .filter(([file]) => isCode(file))
      .map(([file, text]) => [file, links(file, text).filter((link) => link !== file && tree.has(link))]),
  );

/** Files to open when following a call through handlers, stages, commands and statements. */
const isFollowed = under('apps/api', 'libs/commands', 'libs/store/postgres');

/** The files reached from these by imports, without type imports. */
export const followed = (tree: Tree, ...from: readonly string[]): ReadonlySet<string> => {
  const graph = graphOf(tree, (file, text) =>
    importsOf(text)
      .filter(({ clause }) => !/^type\b/.test(clause))
      .map(({ specifier }) => pathOf(file, specifier)),
  );
  const seen = new Set(from);
  // Iterating over a Set includes entries added meanwhile.
  for (const file of seen) for (const link of graph.get(file) ?? []) seen.add(link);
  return new Set([...seen].filter((file) => isFollowed.test(file)));
};

/** Groups of files that import each other directly or indirectly, type imports included. */
export const circles = (tree: Tree): string[][] => {
  const graph = graphOf(tree, (file, text) =>
    importsOf(text).map(({ specifier }) => pathOf(file, specifier)),
  );
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  // Tarjan's algorithm.
  const visit = (file: string): void => {
    const number = numbers.size;
    numbers.set(file, number);
    lowest.set(file, number);
    open.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!numbers.has(next)) visit(next);
      if (open.includes(next)) lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(next) ?? 0));
    }
    if (lowest.get(file) === number) found.push(open.splice(open.indexOf(file)).sort());
  };
  for (const file of graph.keys()) if (!numbers.has(file)) visit(file);
  return found.filter(({ length }) => length > 1);
};

/** Files in apps and libs that no process reaches: tools and fixtures have folders of their own. */
export const unreached = (tree: Tree): string[] => {
  const graph = graphOf(tree, linksOf);
  const reached = new Set<string>();
  const waiting = [...graph.keys()].filter((file) => entries.test(file));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    waiting.push(...(graph.get(file) ?? []));
  }
  return [...graph.keys()].filter((file) => /^(?:apps|libs)\//.test(file) && !reached.has(file));
};
