/** Tables and sequences of a backup, from the catalogue of the database. */
import type { Client } from 'pg';

interface TableInfo {
  /** Quoted, with its schema: `public.app_user`. */
  name: string;
  /** Quoted; without generated columns, which cannot be loaded. */
  columns: string[];
}

export interface Partition {
  name: string;
  parent: string;
  /** `FOR VALUES …` or `DEFAULT`. */
  bound: string;
  /** `RANGE (created_at)` when it has partitions itself. */
  key: string | null;
}

export interface Sequence {
  name: string;
  value: string;
}

const schemas = `n.nspname IN ('public', 'pgboss')`;
const quoted = `format('%I.%I', n.nspname, c.relname)`;

/**
 * Tables with rows to copy. Migrations and the queue's version belong to the program that restores; caches are not
 * copied.
 */
export const tablesOf = async (client: Client): Promise<TableInfo[]> => {
  const { rows } = await client.query<TableInfo>(`
    SELECT ${quoted} AS name, array_agg(format('%I', a.attname) ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE ${schemas} AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      AND NOT (n.nspname = 'public' AND c.relname = 'migration') AND NOT (n.nspname = 'pgboss' AND c.relname = 'version')
    GROUP BY 1 ORDER BY 1`);
  return rows;
};

/** Referenced tables first. */
export const partitionsOf = async (client: Client): Promise<Partition[]> => {
  const { rows } = await client.query<Partition>(`
    WITH RECURSIVE tree AS (
      SELECT i.inhrelid AS id, i.inhparent AS parent, 1 AS depth FROM pg_inherits i
      JOIN pg_class p ON p.oid = i.inhparent AND p.relkind = 'p' AND NOT p.relispartition
      UNION ALL
      SELECT i.inhrelid, i.inhparent, tree.depth + 1 FROM pg_inherits i JOIN tree ON i.inhparent = tree.id
    )
    SELECT ${quoted} AS name, pg_get_expr(c.relpartbound, c.oid) AS bound,
      CASE WHEN c.relkind = 'p' THEN pg_get_partkeydef(c.oid) END AS key,
      (SELECT format('%I.%I', pn.nspname, pc.relname) FROM pg_class pc JOIN pg_namespace pn ON pn.oid = pc.relnamespace
        WHERE pc.oid = tree.parent) AS parent
    FROM tree JOIN pg_class c ON c.oid = tree.id AND c.relkind IN ('r', 'p') JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE ${schemas} AND c.relpersistence = 'p' ORDER BY tree.depth, 1`);
  return rows;
};

export const sequencesOf = async (client: Client): Promise<Sequence[]> => {
  const { rows } = await client.query<Sequence>(`
    SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::text AS value FROM pg_sequences
    WHERE schemaname IN ('public', 'pgboss') AND last_value IS NOT NULL ORDER BY 1`);
  return rows;
};

/** Version of the queue's schema, which its package migrates. */
export const queueVersionOf = async (client: Client): Promise<number> => {
  const { rows } = await client.query<{ version: number }>('SELECT version FROM pgboss.version');
  return rows[0]?.version ?? 0;
};
