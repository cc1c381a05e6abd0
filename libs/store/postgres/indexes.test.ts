import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/harness.ts';

/**
 * Foreign keys without an index that begins with their columns: each deletion in the parent reads the whole table. Rows
 * of three parents are never deleted, and one child has one row.
 */
const withoutIndex = `
  SELECT c.conrelid::regclass || ' (' || string_agg(a.attname, ', ' ORDER BY a.attnum) || ')' AS key
  FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
  WHERE c.contype = 'f' AND c.confrelid <> ALL (ARRAY['product', 'gateway', 'developer_key']::regclass[])
    AND c.conrelid <> 'wind_active'::regclass AND c.connamespace = 'public'::regnamespace AND NOT EXISTS (
    SELECT 1 FROM pg_index i
    WHERE i.indrelid = c.conrelid AND i.indisvalid
      AND (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
      AND (i.indpred IS NULL OR pg_get_expr(i.indpred, i.indrelid) = '(' || a.attname || ' IS NOT NULL)'))
  GROUP BY c.oid, c.conrelid ORDER BY 1`;

test('Every foreign key with a deletable parent has an index, so that no deletion reads a whole table', async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ key: string }>(withoutIndex);
    expect(rows.map(({ key }) => key)).toEqual([]);
  } finally {
    await client.end();
    await database.drop();
  }
});
