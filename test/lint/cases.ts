/** Files that break a rule of docs/style.md, one rule each, and files that follow all of them. */

const zod = "import { z } from 'zod';\n\n";
const vitest = "import { expect, test } from 'vitest';\n\n";
const titled = (title: string) => `${vitest}test('${title}', () => {\n  expect(1).toBe(1);\n});\n`;
const lines = (count: number) => 'export const one = 1;'.padEnd(count + 21, '\n');

const restricted = (from: string, name: string) =>
  `import { ${name} } from '${from}';\n\nexport const used = ${name};`;

/** Rule, path, text: the text breaks only this rule. */
export const broken: readonly [rule: string, path: string, text: string][] = [
  ['style/schema-name', 'libs/domain/x.ts', `${zod}export const user = z.object({ id: z.int() });`],
  ['style/schema-name', 'libs/domain/x.ts', `${zod}export const user = z.object({}).strict();`],
  [
    'style/schema-name',
    'libs/domain/x.ts',
    `${zod}const userSchema = z.object({ id: z.int() });\nexport const named = userSchema.extend({ name: z.string() });`,
  ],
  [
    'style/schema-type',
    'libs/domain/x.ts',
    `${zod}export const userSchema = z.object({});\nexport type Person = z.output<typeof userSchema>;`,
  ],
  [
    'style/schema-type',
    'libs/domain/x.ts',
    `${zod}export const userSchema = z.object({});\nexport type User = z.infer<typeof userSchema>;`,
  ],
  ['style/value-name', 'libs/domain/x.ts', 'export const MAX_WAIT_MS = 5;'],
  ['style/value-name', 'libs/domain/x.ts', 'export const twice = (value_: number): number => value_ * 2;'],
  ['style/type-name', 'libs/domain/x.ts', 'export interface IUser {\n  id: number;\n}'],
  ['style/type-name', 'libs/domain/x.ts', 'export type user = string;'],
  [
    'style/repository',
    'libs/store/postgres/users/x.ts',
    "import type { Tx } from '../sql.ts';\n\nexport const userRepo = (tx: Tx): Tx => tx;",
  ],
  [
    'style/command',
    'libs/commands/users/x.ts',
    "import type { Tx } from '#store/postgres/sql.ts';\n\nexport const rename = async (id: number, tx: Tx): Promise<[number, Tx]> => [id, tx];",
  ],
  [
    'style/getter',
    'libs/domain/x.ts',
    'export const counter = (count: number): object => ({\n  get count() {\n    return count;\n  },\n});',
  ],
  ['style/error-class', 'libs/domain/x.ts', 'export class Counter {\n  count = 0;\n}'],
  ['style/test-title', 'libs/domain/x.test.ts', titled('M-5.1 a call without a token is refused')],
  ['style/test-title', 'libs/domain/x.test.ts', titled('A call without a token (M-5.1) is refused')],
  ['style/test-title', 'libs/domain/x.test.ts', titled('A call without a token is refused M-5.1')],
  ['style/test-title', 'libs/domain/x.test.ts', titled('a call without a token is refused')],
  ['style/test-title', 'libs/domain/x.test.ts', titled('Is refused (M-5.1)')],
  ['style/test-title', 'libs/domain/x.test.ts', titled('A call without a token is refused.')],
  [
    'style/test-title',
    'libs/domain/x.test.ts',
    `${vitest.replace('expect', 'describe, expect')}describe('M-5 tokens', () => {\n  test('A call is refused', () => {\n    expect(1).toBe(1);\n  });\n});`,
  ],
  [
    'style/test-title',
    'libs/domain/x.test.ts',
    `${vitest}test.each([1, 2])('M-5.1 the number %i is refused', (n) => {\n  expect(n).toBe(n);\n});`,
  ],
  ['func-style', 'libs/domain/x.ts', 'export function one(): number {\n  return 1;\n}'],
  ['arrow-body-style', 'libs/domain/x.ts', 'export const one = (): number => {\n  return 1;\n};'],
  [
    'prefer-arrow-callback',
    'libs/domain/x.ts',
    'export const twice = [1].map(function (n) {\n  return n * 2;\n});',
  ],
  ['typescript/consistent-type-definitions', 'libs/domain/x.ts', 'export type User = { id: number };'],
  [
    'typescript/method-signature-style',
    'libs/domain/x.ts',
    'export interface Store {\n  read(id: number): string;\n}',
  ],
  [
    'typescript/consistent-type-imports',
    'libs/domain/x.ts',
    "import { ZodType } from 'zod';\n\nexport type Any = ZodType;",
  ],
  [
    'import/consistent-type-specifier-style',
    'libs/domain/x.ts',
    "import { type ZodType } from 'zod';\n\nexport type Any = ZodType;",
  ],
  ['typescript/no-explicit-any', 'libs/domain/x.ts', 'export const one = (input: any): unknown => input;'],
  ['typescript/only-throw-error', 'libs/domain/x.ts', "export const no = (): never => {\n  throw 'no';\n};"],
  [
    'typescript/no-floating-promises',
    'libs/domain/x.ts',
    'const later = async (): Promise<void> => {};\nexport const now = (): void => {\n  later();\n};',
  ],
  ['import/no-default-export', 'libs/domain/x.ts', 'const one = 1;\n\nexport default one;'],
  ['import/no-mutable-exports', 'libs/domain/x.ts', 'export let one = 1;\none += 1;'],
  [
    'import/first',
    'libs/domain/x.ts',
    "export const one = 1;\nimport type { ZodType } from 'zod';\n\nexport type T = ZodType;",
  ],
  [
    'import/newline-after-import',
    'libs/domain/x.ts',
    "import type { ZodType } from 'zod';\nexport type T = ZodType;",
  ],
  [
    'unicorn/prefer-node-protocol',
    'apps/api/x.ts',
    "import { join } from 'path';\n\nexport const at = join('a', 'b');",
  ],
  ['unicorn/filename-case', 'libs/domain/windAloft.ts', 'export const one = 1;'],
  ['unicorn/filename-case', 'libs/domain/wind_aloft.ts', 'export const one = 1;'],
  ['unicorn/filename-case', 'apps/api/queries/winds/wind-aloft.ts', 'export const one = 1;'],
  [
    'unicorn/custom-error-definition',
    'libs/domain/x.ts',
    "export class Busy extends Error {\n  override name = 'Busy';\n}",
  ],
  ['no-restricted-imports', 'libs/perf/x.ts', restricted('node:fs', 'readFileSync')],
  ['no-restricted-imports', 'libs/domain/x.ts', restricted('#store/postgres/sql.ts', 'sql')],
  ['no-restricted-imports', 'libs/platform/x.ts', restricted('#store/postgres/sql.ts', 'sql')],
  ['no-restricted-imports', 'libs/data-sources/x.ts', restricted('#commands/users/register.ts', 'register')],
  ['no-restricted-imports', 'libs/commands/users/x.ts', restricted('#api/errors.ts', 'commonError')],
  ['no-restricted-imports', 'apps/api/x.ts', restricted('pg', 'Client')],
  ['no-restricted-imports', 'apps/api/queries/users/x.ts', restricted('#store/postgres/sql.ts', 'sql')],
  ['no-restricted-imports', 'apps/api/queries/users/x.ts', restricted('../../pages/map.ts', 'mapPage')],
  ['no-restricted-imports', 'apps/api/actions/x.ts', restricted('#store/postgres/sql.ts', 'sql')],
  ['no-restricted-imports', 'apps/api/webhooks/x.ts', restricted('#store/postgres/sql.ts', 'sql')],
  ['no-restricted-imports', 'apps/workers/jobs/x.ts', restricted('#store/postgres/sql.ts', 'sql')],
  ['no-restricted-imports', 'apps/workers/x.ts', restricted('#api/errors.ts', 'commonError')],
  ['no-restricted-imports', 'apps/scheduler/feeds/x.ts', restricted('#store/postgres/sql.ts', 'sql')],
  ['no-restricted-imports', 'apps/scheduler/x.ts', restricted('#perf/kernel/units.ts', 'kgPerLb')],
  ['prefer-const', 'libs/domain/x.ts', 'let one = 1;\nexport const two = one + 1;'],
  ['no-var', 'libs/domain/x.ts', 'var one = 1;\none += 1;\nexport const two = one;'],
  ['eqeqeq', 'libs/domain/x.ts', 'export const same = (a: number, b: number): boolean => a == b;'],
  ['object-shorthand', 'libs/domain/x.ts', 'const one = 1;\nexport const all = { one: one };'],
  [
    'no-empty',
    'libs/domain/x.ts',
    'export const quiet = (work: () => void): void => {\n  try {\n    work();\n  } catch {}\n};',
  ],
  ['max-lines', 'libs/domain/x.ts', lines(401)],
  ['no-console', 'libs/domain/x.ts', "export const shout = (): void => console.log('x');"],
  [
    'vitest/consistent-test-it',
    'libs/domain/x.test.ts',
    `${vitest.replace('test', 'it')}it('A call is refused', () => {\n  expect(1).toBe(1);\n});`,
  ],
  ['vitest/consistent-test-filename', 'libs/domain/x.spec.ts', titled('A call is refused')],
  [
    'vitest/no-identical-title',
    'libs/domain/x.test.ts',
    `${titled('A call is refused')}${titled('A call is refused').slice(vitest.length)}`,
  ],
];

/** Paths and texts that follow every rule. */
export const sound: readonly [path: string, text: string][] = [
  [
    'libs/domain/x.ts',
    `${zod}/** A user as the API shows it. */
export const userSchema = z.object({ id: z.int() });
export type User = z.output<typeof userSchema>;
export type UserInput = z.input<typeof userSchema>;

export class UserError extends Error {
  override name = 'UserError';
}

export interface UserStore {
  find: (id: number) => Promise<User | null>;
}

export const maxWaitMs = 5_000;

export const checkedUser = (input: unknown): User => {
  const checked = userSchema.safeParse(input);
  if (!checked.success) throw new UserError(checked.error.message);
  return checked.data;
};

export const identsOf = function* (users: readonly User[]): Generator<number> {
  for (const { id } of users) yield id;
};
`,
  ],
  [
    'apps/api/queries/winds/x.ts',
    "import type { ReadDb } from '#store/postgres/sql.ts';\n\nexport type Db = ReadDb;",
  ],
  ['apps/api/queries/winds/windAloft.ts', 'const one = 1;\n\nexport default one;'],
  ['apps/workers/jobs/mail-send.ts', 'const one = 1;\n\nexport default one;'],
  ['apps/scheduler/feeds/metar.ts', 'const one = 1;\n\nexport default one;'],
  ['apps/ops/x.ts', "export const shout = (): void => console.log('x');"],
  ['libs/domain/x.test.ts', lines(399)],
  ['libs/domain/a.test.ts', titled('A call without a token is refused (M-5.1, G-03)')],
  ['libs/domain/b.test.ts', titled('returnUrl is kept unchanged')],
  ['libs/domain/c.test.ts', `${vitest}test.each([1])('%i', (n) => {\n  expect(n).toBe(n);\n});`],
];
