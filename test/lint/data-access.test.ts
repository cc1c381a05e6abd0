import { RuleTester } from 'oxlint/plugins-dev';
import { describe, test } from 'vitest';
import { command, repository } from './data-access.ts';

RuleTester.describe = describe;
RuleTester.it = test;

const tester = new RuleTester({ languageOptions: { parserOptions: { lang: 'ts' } } });
const errors = 1;

tester.run('Repositories: xRepo(db: ReadDb) reads, xWrites(tx: Tx) writes', repository, {
  valid: [
    'export const userRepo = (db: ReadDb) => ({});',
    'export const userWrites = (tx: Tx) => ({});',
    'export const countsOf = (rows: readonly Row[]) => rows.length;',
    'const insertAll = async (tx: Tx, rows: Row[]): Promise<void> => {};',
  ],
  invalid: [
    { code: 'export const readUser = async (db: ReadDb, id: number) => null;', errors },
    { code: 'export const setPassword = (tx: Tx, userId: number) => 1;', errors },
    { code: 'export const userRepo = (tx: Tx) => ({});', errors },
    { code: 'export const userWrites = (db: ReadDb) => ({});', errors },
    { code: 'export const userRepo = (pool: ReadDb) => ({});', errors },
    { code: 'export const userWrites = (tx: Tx, at: Date) => ({});', errors },
  ],
});

tester.run('Commands: (tx, deps, input)', command, {
  valid: [
    'export const createAccount = async (tx: Tx, { clock }: { clock: Clock }, account: NewAccount) => {};',
    'export const findReset = async (db: ReadDb, deps: Deps, token: string) => {};',
    'export const findRunway = async (sources: AirportSources, deps: Deps, input: Input) => {};',
    'export const keyOf = ({ id }: Picture): string => String(id);',
  ],
  invalid: [
    { code: 'export const createAccount = async (context: Context, account: NewAccount) => {};', errors },
    {
      code: 'export const createAccount = async (tx: Tx, context: Context, account: NewAccount) => {};',
      errors,
    },
    { code: 'export const extend = async (tx: Tx, deps: Deps, id: number, days: number) => {};', errors },
    { code: 'export const extend = (postgres: Postgres, tx: Tx) => tx.run(statement);', errors },
    { code: 'export const extend = async (postgres: Postgres, id: number) => {};', errors },
  ],
});
