/**
 * The only access to Postgres: `sql` builds a statement, a `ReadDb` or a `Tx` runs it. Values become
 * parameters, nested fragments are inlined, nothing else is interpolated.
 */
import type { QueryResultRow } from 'pg';
import { statementRun } from '../metrics/activities.ts';
import type { StatementRun } from '../metrics/activities.ts';

const fragment = Symbol('sql fragment');

export interface Sql {
  readonly [fragment]: true;
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
}

const isSql = (value: unknown): value is Sql =>
  typeof value === 'object' && value !== null && fragment in value;

/** Tagged template: `sql\`SELECT * FROM users WHERE id = ${id}\``. Nested `sql` values are inlined. */
export const sql = (strings: TemplateStringsArray, ...values: readonly unknown[]): Sql => {
  if (!values.some(isSql)) return { [fragment]: true, strings, values };
  const outStrings = [strings[0] ?? ''];
  const outValues: unknown[] = [];
  values.forEach((value, i) => {
    const tail = strings[i + 1] ?? '';
    if (isSql(value)) {
      outStrings[outStrings.length - 1] += value.strings[0] ?? '';
      value.values.forEach((nested, j) => {
        outValues.push(nested);
        outStrings.push(value.strings[j + 1] ?? '');
      });
      outStrings[outStrings.length - 1] += tail;
    } else {
      outValues.push(value);
      outStrings.push(tail);
    }
  });
  return { [fragment]: true, strings: outStrings, values: outValues };
};

/** Cached texts of plain templates, whose parts are always the same array; nested ones are joined each time. */
const knownTexts = new WeakMap<readonly string[], string>();

/** The statement text with `$1…$n`. */
export const textOf = ({ strings }: Sql): string => {
  const known = knownTexts.get(strings);
  if (known !== undefined) return known;
  let text = strings[0] ?? '';
  for (let i = 1; i < strings.length; i += 1) text += `$${i}${strings[i] ?? ''}`;
  if (Object.isFrozen(strings)) knownTexts.set(strings, text);
  return text;
};

export class NoRowError extends Error {
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
}

/**
 * Also changes rows, inside one transaction; only `Postgres.transaction` and `Postgres.single` create one. Hooks run
 * in order after COMMIT or after ROLLBACK.
 */
export interface Tx extends ReadDb {
  readonly inTransaction: true;
  /** Number of affected rows. */
  run: (query: Sql) => Promise<number>;
  onCommit: (hook: () => unknown) => void;
  onRollback: (hook: () => unknown) => void;
}

/** The shape of pg's pool and client that we need, so that both can be wrapped. */
export interface Queryable {
  query: (config: {
    text: string;
    values: unknown[];
    name?: string;
  }) => Promise<{ rows: unknown[]; rowCount: number | null }>;
}

const preparedNames = new Map<string, string>();

/** Statement texts are few and fixed (fragments aside), so each gets one server-side prepared statement. */
const nameOf = (text: string): string | undefined => {
  const known = preparedNames.get(text);
  if (known) return known;
  if (preparedNames.size >= 2_000) return undefined;
  const name = `s${preparedNames.size}`;
  preparedNames.set(text, name);
  return name;
};

const watched = (client: Queryable, config: Parameters<Queryable['query']>[0]) => {
  const run: StatementRun = { text: config.text };
  return statementRun.run(run, async () => {
    const result = await client.query(config);
    run.rows = result.rowCount;
    return result;
  });
};

const execute = (client: Queryable, query: Sql) => {
  const text = textOf(query);
  const name = nameOf(text);
  const config = { text, values: [...query.values], ...(name === undefined ? {} : { name }) };
  return statementRun.isWatched() ? watched(client, config) : client.query(config);
};

export const readDbOver = (client: Queryable): ReadDb => {
  const any = async <Row extends QueryResultRow>(query: Sql) => (await execute(client, query)).rows as Row[];
  const maybe = async <Row extends QueryResultRow>(query: Sql) => {
    const rows = await any<Row>(query);
    if (rows.length > 1) throw new Error(`expected at most one row, got ${rows.length}: ${textOf(query)}`);
    return rows[0] ?? null;
  };
  return {
    any,
    maybe,
    one: async <Row extends QueryResultRow>(query: Sql) => {
      const row = await maybe<Row>(query);
      if (!row) throw new NoRowError(`expected one row, got none: ${textOf(query)}`);
      return row;
    },
  };
};

/** A `Tx` on a client that is in a transaction. */
export const txOver = (client: Queryable, hooks: Pick<Tx, 'onCommit' | 'onRollback'>): Tx => ({
  ...readDbOver(client),
  ...hooks,
  inTransaction: true,
  run: async (query) => (await execute(client, query)).rowCount ?? 0,
});
