/**
 * The rules of the architecture as tests, so that they cannot silently stop being checked; each is verified by
 * a file that breaks it.
 */
import { describe, expect, test } from 'vitest';
import { circles, importsOf, problemsOf, readTree, unreached } from './support/architecture.ts';
import type { RuleName } from './support/architecture.ts';

const tree = readTree();

test('The code base follows every rule of the architecture', () => {
  expect(problemsOf(tree)).toEqual([]);
  expect(tree.size).toBeGreaterThan(400);
  expect([...tree.values()].flatMap(importsOf).length).toBeGreaterThan(1_500);
});

test('Every file of apps and libs is used by a process of the service, and an unused one is found', () => {
  expect(unreached(tree)).toEqual([]);
  expect(unreached(new Map([...tree, ['libs/domain/users/lost.ts', '']]))).toEqual([
    'libs/domain/users/lost.ts',
  ]);
});

test('No import cycle has more than two files, and a larger one is found', () => {
  const larger = (files: typeof tree) => circles(files).filter(({ length }) => length > 2);
  expect(larger(tree)).toEqual([]);
  const imports = (name: string) => `import type { x } from './${name}.ts';`;
  const broken = ['a', 'b', 'c'].map(
    (name, i) => [`libs/perf/x/${name}.ts`, imports('bca'[i] ?? '')] as const,
  );
  expect(larger(new Map([...tree, ...broken]))).toEqual([broken.map(([file]) => file)]);
});

test('The engine names no aircraft, and its folders import none of those above them', () => {
  const engine = [...tree].filter(([file]) => /^libs\/perf\/(?!fixtures)(?!.*\.test\.ts$)/.test(file));
  const order = ['kernel', 'landing', 'takeoff', 'wire', 'check'];
  const upward = engine.flatMap(([file, text]) =>
    importsOf(text)
      .map(({ specifier }) => /^\.\.\/(\w+)\//.exec(specifier)?.[1])
      .filter((to) => to !== undefined && order.indexOf(to) > order.indexOf(file.split('/')[2] ?? ''))
      .map((to) => `${file} imports ${to}`),
  );
  expect(upward).toEqual([]);
  const named = engine.filter(([, text]) => /['"`](?:7[0-9]7|A[23][0-9]{2})/.test(text));
  expect(named.map(([file]) => file)).toEqual([]);
  expect(engine.length).toBeGreaterThan(80);
});

describe('files that break a rule', () => {
  const query = 'apps/api/queries/users/broken.ts';
  const broken: readonly [RuleName, string, string][] = [
    ['imports', 'libs/perf/broken.ts', "import { readFile } from 'node:fs/promises';"],
    ['imports', 'libs/perf/broken.ts', "import { drawnSvg } from '#drawing/drawing.ts';"],
    ['imports', 'libs/drawing/broken.ts', "import { readFile } from 'node:fs/promises';"],
    ['imports', 'libs/domain/broken.ts', "import { sql } from '#store/postgres/sql.ts';"],
    ['imports', 'libs/data-sources/broken.ts', "import { calculate } from '#perf/landing/calculate.ts';"],
    ['imports', 'libs/platform/broken.ts', "import { sql } from '#store/postgres/sql.ts';"],
    ['imports', 'libs/data-sources/broken.ts', "import { startSimulated } from '#simulated/server.ts';"],
    ['imports', 'libs/commands/users/broken.ts', "import { declaredError } from '#api/errors.ts';"],
    ['imports', 'libs/commands/users/broken.ts', "import Koa from 'koa';"],
    ['imports', 'apps/api/broken.ts', "import pg from 'pg';"],
    ['imports', 'apps/workers/broken.ts', "import { x } from '#api/define.ts';"],
    ['imports', 'apps/scheduler/broken.ts', "import { x } from '../../libs/perf/kernel/units.ts';"],
    ['imports', 'clients/typescript/src/broken.ts', "import { hostname } from 'node:os';"],
    ['queries import no pages', query, "import { x } from '../../pages/map.ts';"],
    ['no SQL in declarations', query, "import { sql } from '#store/postgres/sql.ts';"],
    ['no SQL in declarations', query, "import {\n  sql,\n  textOf,\n} from '#store/postgres/sql.ts';"],
    ['no SQL in declarations', 'apps/api/actions/broken.ts', "import { sql } from '#store/postgres/sql.ts';"],
    [
      'no SQL in declarations',
      'apps/api/webhooks/broken.ts',
      "import { sql } from '#store/postgres/sql.ts';",
    ],
    [
      'no SQL in declarations',
      'apps/workers/jobs/broken.ts',
      "import { sql } from '#store/postgres/sql.ts';",
    ],
    [
      'no SQL in declarations',
      'apps/scheduler/feeds/broken.ts',
      "import { sql } from '#store/postgres/sql.ts';",
    ],
    ['reads and writes', 'libs/store/postgres/users/broken.ts', 'export const userRepo = (tx: Tx) => ({});'],
    [
      'reads and writes',
      'libs/store/postgres/users/broken.ts',
      'export const setPassword = async (tx: Tx, id: number) => {};',
    ],
    ['commands', 'libs/commands/users/broken.ts', 'export const rename = (input: string) => input;'],
    ['folders of resources', 'apps/api/queries/accounts/broken.ts', ''],
    ['folders of resources', 'libs/commands/accounts/broken.ts', ''],
    ['folders of resources', 'libs/store/postgres/accounts/broken.ts', ''],
    ['stages know no field', 'apps/api/stages/broken.ts', "const field = 'email';"],
    ['a manual transaction has a reason', query, "  level: 1,\n  tx: 'manual',\n"],
    ['environment', 'apps/api/broken.ts', "const port = process.env['PORT'];"],
    ['only tracing knows OpenTelemetry', 'libs/data-sources/broken.ts', "import '@opentelemetry/api';"],
    ['SQL is not concatenated', 'libs/data-sources/broken.ts', 'client.query(`SELECT ${name}`)'],
    ['tests share modules', 'apps/api/queries/users/broken.test.ts', "vi.mock('x');"],
    ['tests share modules', 'libs/domain/users/broken.test.ts', "process.env['TZ'] = 'UTC';"],
    ['length', query, '\n'.repeat(401)],
    ['no machine path, no suppressed type error', query, '// @ts-ignore'],
  ];

  test.for(broken)('%s: %s %s', ([rule, file, text]) => {
    const found = problemsOf(new Map([...tree, [file, text]]), new Map([[file, text]]));
    expect(found).toEqual([expect.stringContaining(`${rule}: ${file} `)]);
  });
});
