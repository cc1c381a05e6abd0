/**
 * The only access to Postgres: `sql` builds a statement, a `ReadDb` or a `Tx` runs it. Values become
 * parameters, nested fragments are inlined, nothing else is interpolated. Columns in snake_case become keys in camelCase.
 */
import { createHash } from 'node:crypto';
import type { QueryResultRow } from 'pg';
import { statementRun } from '#platform/metrics/activities.ts';
import type { StatementRun } from '#platform/metrics/activities.ts';

const fragment = Symbol('sql fragment');

export interface Sql {
  readonly [fragment]: true;
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
}

const isSql = (value: unknown): value is Sql =>
  typeof value === 'object' && value !== null && fragment in value;

/** The texts between the values, after those of nested fragments have been inlined. */
const joined = (texts: readonly string[], values: readonly unknown[]): Sql => {
  const strings = [texts[0] ?? ''];
  const parameters: unknown[] = [];
  values.forEach((value, i) => {
    const tail = texts[i + 1] ?? '';
    if (isSql(value)) {
      const [head = '', ...rest] = value.strings;
      strings[strings.length - 1] += head;
      strings.push(...rest);
      strings[strings.length - 1] += tail;
      parameters.push(...value.values);
    } else {
      strings.push(tail);
      parameters.push(value);
    }
  });
  return { [fragment]: true, strings, values: parameters };
};

/** Tagged template: `sql\`SELECT * FROM users WHERE id = ${id}\``. Nested `sql` values are inlined. */
export const sql = (template: TemplateStringsArray, ...values: readonly unknown[]): Sql =>
  values.some(isSql) ? joined(template, values) : { [fragment]: true, strings: template, values };

/** A text of this program as a part of a statement; never one of a caller. */
export const ownText = (text: string): Sql => ({ [fragment]: true, strings: [text], values: [] });

/** Texts around the values of an inserted row. */
export const insertTexts = (table: string, columns: readonly string[]): string[] => [
  `INSERT INTO ${table} (${columns.join(', ')}) VALUES (`,
  ...columns.slice(1).map(() => ', '),
  ')',
];

/** Texts around the values of a changed row. */
export const setTexts = (columns: readonly string[]): string[] => [
  ...columns.map((column, i) => `${i === 0 ? '' : ', '}${column} = `),
  '',
];

const columnsOf = (row: object): string[] => Object.keys(row).map(columnOf);

/** `INSERT INTO table (columns) VALUES (…)` with the keys of the row as columns; its values may be fragments. */
export const insertOf = (table: string, row: object): Sql =>
  joined(insertTexts(table, columnsOf(row)), Object.values(row));

/** `a = …, b = …` for UPDATE. */
export const setOf = (row: object): Sql => joined(setTexts(columnsOf(row)), Object.values(row));

export const excludedText = (columns: readonly string[]): string =>
  columns.map((column) => `${column} = excluded.${column}`).join(', ');

/** `a = excluded.a, …` for `ON CONFLICT … DO UPDATE SET`. */
export const excludedOf = (row: object): Sql => ownText(excludedText(columnsOf(row)));

/** A time as `toISOString` writes it. */
export const isoText = (time: Sql): Sql =>
  sql`to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Whether a text in lower case and NFC contains another one in any case. Indexes of trigrams find it, from three characters on. */
export const contains = (text: Sql, part: string): Sql =>
  sql`${text} LIKE ${`%${part
    .normalize()
    .toLowerCase()
    .replaceAll(/[\\%_]/g, '\\$&')}%`}`;

/** Condition on the changed row: the revision that the client has seen is still stored; undefined: not checked. */
export const isExpected = (expectedVersion: number | undefined): Sql =>
  sql`coalesce(${expectedVersion ?? null}::bigint, revision) = revision`;

const maxPrepared = 2_000;
const names = new Map<string, string>();

/**
 * Statement texts are few and fixed, so each gets one server-side prepared statement, named by a hash of the text; those
 * beyond the first 2,000 have none.
 */
const nameOf = (text: string): { name?: string } => {
  const known = names.get(text);
  if (known !== undefined) return { name: known };
  if (names.size === maxPrepared) return {};
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
  names.set(text, name);
  return { name };
};

/** The statement text with `$1…$n`. */
const textOf = ({ strings }: Sql): string =>
  strings.map((part, i) => (i === 0 ? part : `$${i}${part}`)).join('');

class NoRowError extends Error {
  override name = 'NoRowError';
}

/** Read access: the pool, or one transaction. */
export interface ReadDb {
  /** All rows, possibly none. */
  any: <Row extends QueryResultRow>(query: Sql) => Promise<Row[]>;
  /** The only row or null; two rows are an error. */
  maybe: <Row extends QueryResultRow>(query: Sql) => Promise<Row | null>;
  /** The only row; none or two are an error. */
  one: <Row extends QueryResultRow>(query: Sql) => Promise<Row>;
  /** The value of the only column: in each row, in the only row, in the only row or null. */
  values: <Value>(query: Sql) => Promise<Value[]>;
  value: <Value>(query: Sql) => Promise<Value>;
  valueOrNull: <Value>(query: Sql) => Promise<Value | null>;
  /** Whether there is a row. */
  exists: (query: Sql) => Promise<boolean>;
}

/**
 * Also changes rows, inside one transaction; only `Postgres.transaction` and `Postgres.single` create one. Hooks run
 * in order after COMMIT.
 */
export interface Tx extends ReadDb {
  readonly inTransaction: true;
  /** Number of affected rows. */
  run: (query: Sql) => Promise<number>;
  onCommit: (hook: () => unknown) => void;
}

interface QueryConfig {
  text: string;
  values: unknown[];
  name?: string;
  rowMode?: 'array';
}

/** The shape of pg's pool and client that we need, so that both can be wrapped. */
export interface Queryable {
  query: (
    config: QueryConfig,
  ) => Promise<{ rows: unknown[]; fields: { name: string }[]; rowCount: number | null }>;
}

/** `is_disabled` becomes `isDisabled`. */
export const keyOf = (column: string): string =>
  column.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** A large import asks for the same few keys a million times. */
const columnNames = new Map<string, string>();

/** `isDisabled` becomes `is_disabled`. */
export const columnOf = (key: string): string => {
  const known = columnNames.get(key);
  if (known !== undefined) return known;
  const column = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  columnNames.set(key, column);
  return column;
};

/** The same record with the names of columns. */
export const recordOf = (row: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [columnOf(key), value]));

/** Keys of the rows by the columns of a result. */
const shapes = new Map<string, { keys: readonly string[]; empty: Readonly<Record<string, null>> }>();

const shapeOf = (columns: readonly string[]) => {
  const id = columns.join();
  const known = shapes.get(id);
  if (known) return known;
  const keys = columns.map(keyOf);
  const shape = { keys, empty: Object.fromEntries(keys.map((key) => [key, null])) };
  shapes.set(id, shape);
  return shape;
};

/** The list in parts of at most `size`, for statements that end in time. */
export const inParts = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));

/** Rows as objects with keys in camelCase; what is inside JSON values stays as it is. */
export const queryRows = async (client: Queryable, config: QueryConfig) => {
  const { rows, fields, rowCount } = await client.query({ ...config, rowMode: 'array' });
  const { keys, empty } = shapeOf(fields.map(({ name }) => name));
  return {
    rowCount,
    rows: (rows as unknown[][]).map((values) => {
      const row: QueryResultRow = { ...empty };
      for (const [i, key] of keys.entries()) row[key] = values[i];
      return row;
    }),
  };
};

const watched = (client: Queryable, config: QueryConfig) => {
  const run: StatementRun = { text: config.text };
  return statementRun.run(run, async () => {
    const result = await queryRows(client, config);
    run.rows = result.rowCount;
    return result;
  });
};

const execute = (client: Queryable, query: Sql) => {
  const text = textOf(query);
  const config = { text, ...nameOf(text), values: [...query.values] };
  return statementRun.isWatched() ? watched(client, config) : queryRows(client, config);
};

export const readDbOver = (client: Queryable): ReadDb => {
  const any = async <Row extends QueryResultRow>(query: Sql) => (await execute(client, query)).rows as Row[];
  const maybe = async <Row extends QueryResultRow>(query: Sql) => {
    const rows = await any<Row>(query);
    if (rows.length > 1) throw new Error(`expected at most one row, got ${rows.length}: ${textOf(query)}`);
    return rows[0] ?? null;
  };
  const one = async <Row extends QueryResultRow>(query: Sql) => {
    const row = await maybe<Row>(query);
    if (!row) throw new NoRowError(`expected one row, got none: ${textOf(query)}`);
    return row;
  };
  const valueOf = (row: QueryResultRow): unknown => Object.values(row)[0];
  return {
    any,
    maybe,
    one,
    values: async <Value>(query: Sql) => (await any(query)).map(valueOf) as Value[],
    value: async <Value>(query: Sql) => valueOf(await one(query)) as Value,
    valueOrNull: async <Value>(query: Sql) => {
      const row = await maybe(query);
      return row && (valueOf(row) as Value);
    },
    exists: async (query) => (await any(query)).length > 0,
  };
};

/** Inserts the row; its new id. */
export const insertId = (tx: Pick<Tx, 'value'>, table: string, row: object): Promise<number> =>
  tx.value<number>(sql`${insertOf(table, row)} RETURNING id`);

/** A `Tx` on a client that is in a transaction. */
export const txOver = (client: Queryable, onCommit: Tx['onCommit']): Tx => ({
  ...readDbOver(client),
  onCommit,
  inTransaction: true,
  run: async (query) => (await execute(client, query)).rowCount ?? 0,
});
