/** Compares row types with the migrated database, which only describes the statements and never runs them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Connection, FieldDef } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyOf } from '#store/postgres/sql.ts';
import { createTestDatabase } from './harness.ts';
import type { TestDatabase } from './harness.ts';
import { namesIn, sectionOf, withoutUser } from './support/distribution.ts';
import { statementsOf } from './support/typed-rows.ts';
import type { Field, Statement } from './support/typed-rows.ts';

let database: TestDatabase;
let client: Client;
let statements: Statement[];
beforeAll(async () => {
  statements = statementsOf(['libs', 'apps']);
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** The columns that a statement would return. */
const columnsOf = (text: string): Promise<FieldDef[]> =>
  new Promise((resolve, reject) => {
    let columns: FieldDef[] = [];
    const described = {
      submit: (connection: Connection) => {
        connection.parse({ text, name: '', types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
      },
      handleRowDescription: ({ fields }: { fields: FieldDef[] }) => {
        columns = fields;
      },
      handleError: (error: Error) => reject(error),
      handleReadyForQuery: () => resolve(columns),
    };
    client.query(described);
  });

/** JavaScript types that the driver returns, by Postgres type id. */
const kinds: Readonly<Record<number, string>> = {
  16: 'boolean',
  17: 'Buffer',
  20: 'number',
  21: 'number',
  23: 'number',
  25: 'string',
  700: 'number',
  701: 'number',
  1043: 'string',
  1184: 'Date',
  1700: 'number',
  2950: 'string',
};

/** With fragments, or tables, that only a run has. */
const onlyAtRun: readonly string[] = [
  'libs/store/postgres/airports/obstacles.ts',
  'libs/store/postgres/library/sync.ts',
  'libs/store/postgres/navdata/navdata.ts',
  'libs/store/postgres/ofp/ofps.ts',
  'libs/store/postgres/requests/log.ts',
  'libs/store/postgres/sql.ts',
  'libs/store/postgres/sweeps/sweeps.ts',
  'libs/store/postgres/sync/row-changes.ts',
  'libs/store/postgres/users/sealed.ts',
];

const differences = (columns: readonly FieldDef[], fields: readonly Field[]): string[] => {
  const [first] = fields;
  if (first?.name === null) {
    const stored = columns.map(({ dataTypeID }) => kinds[dataTypeID]);
    if (stored.length !== 1) return [`${stored.length} columns instead of one value`];
    const isOther = stored[0] !== undefined && first.kind !== null && stored[0] !== first.kind;
    return isOther ? [`the value is a ${stored[0]}, not a ${first.kind}`] : [];
  }
  const types = new Map(columns.map(({ name, dataTypeID }) => [keyOf(name), kinds[dataTypeID]]));
  const named = fields.map((field) => ({ ...field, name: field.name ?? '' }));
  const names = new Set(named.map(({ name }) => name));
  return [
    ...named
      .filter(({ name, isOptional }) => !isOptional && !types.has(name))
      .map(({ name }) => `no column ${name}`),
    ...named
      .map(({ name, kind }) => ({ name, kind, stored: types.get(name) }))
      .filter(({ kind, stored }) => stored !== undefined && kind !== null && stored !== kind)
      .map(({ name, kind, stored }) => `${name} is a ${stored}, not a ${kind}`),
    ...[...types.keys()].filter((name) => !names.has(name)).map((name) => `no field for the column ${name}`),
  ];
};

test('Postgres accepts every statement and returns the columns of its row type, with values of their types', async () => {
  const problems = new Set<string>();
  const unknown = new Set<string>();
  for (const { file, line, texts, fields } of statements) {
    if (fields && texts.length === 0) unknown.add(file);
    for (const text of texts) {
      const columns = await columnsOf(text).catch((error: unknown) => String(error));
      if (typeof columns !== 'string')
        for (const problem of fields ? differences(columns, fields) : [])
          problems.add(`${file}:${line}: ${problem}`);
      else if (onlyAtRun.includes(file)) unknown.add(file);
      else problems.add(`${file}:${line}: ${columns} in ${text}`);
    }
  }
  expect([...problems]).toEqual([]);
  expect([...unknown].toSorted()).toEqual(onlyAtRun);
});

const tablesOfUsers = `
  SELECT DISTINCT c.conrelid::regclass::text AS name FROM pg_constraint c
  JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
  WHERE c.contype = 'f' AND c.confrelid = 'app_user'::regclass AND a.attname = 'user_id' AND cardinality(c.conkey) = 1`;

test('docs/scaling.md lists exactly the tables with user data and the statements on them without a user', async () => {
  const scaling = readFileSync(join(import.meta.dirname, '../docs/scaling.md'), 'utf8');
  const names = async (text: string) =>
    (await client.query<{ name: string }>(text)).rows.map(({ name }) => name).toSorted();
  const ofUsers = await names(tablesOfUsers);
  const ofThose = await names(`
    WITH RECURSIVE users AS (${tablesOfUsers}), below AS (
      SELECT name FROM users UNION
      SELECT c.conrelid::regclass::text FROM pg_constraint c JOIN below ON c.confrelid = below.name::regclass
      WHERE c.contype = 'f' AND c.confdeltype = 'c' AND c.conparentid = 0)
    SELECT name FROM below EXCEPT SELECT name FROM users EXCEPT SELECT 'app_user'`);
  expect(namesIn(sectionOf(scaling, '### With a user'))).toEqual(ofUsers);
  expect(namesIn(sectionOf(scaling, '### Below them'))).toEqual(ofThose);

  const rows = sectionOf(scaling, '### Statements without a user').matchAll(/^\| `(\S+)` +\| (\d+) +\|/gm);
  const declared = Object.fromEntries([...rows].map(([, file = '', count]) => [file, Number(count)]));
  const found = Object.entries(withoutUser(statements, new Set(ofUsers)));
  expect(
    Object.fromEntries(found.map(([file, count]) => [file.replace('libs/store/postgres/', ''), count])),
  ).toEqual(declared);
});
