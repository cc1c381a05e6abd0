/** All encrypted values (libs/store/auth/secrets.ts), by kind, for inspection and re-encryption. */
import { setOf, sql } from '../sql.ts';
import type { ReadDb, Sql, Tx } from '../sql.ts';

export interface SealedCount {
  kind: 'API keys' | 'PINs' | 'shares' | 'webhook secrets';
  /** Key id as returned by `keyIdOf`. */
  key: string;
  count: number;
}

/** Columns with encrypted values by kind, and other columns that re-encryption needs. */
const sealed = {
  accounts: { table: sql`app_user`, columns: [sql`api_key_sealed`, sql`pin_sealed`], others: sql`id` },
  shares: { table: sql`ofp_share`, columns: [sql`sealed`], others: sql`id, token_hash` },
  webhooks: {
    table: sql`webhook_endpoint`,
    columns: [sql`secret_sealed`, sql`previous_sealed`],
    others: sql`id`,
  },
} as const;
export type SealedKind = keyof typeof sealed;

export interface SealedRow {
  id: number;
  apiKeySealed?: Buffer | null;
  pinSealed?: Buffer | null;
  sealed?: Buffer | null;
  tokenHash?: Buffer;
  secretSealed?: Buffer;
  previousSealed?: Buffer | null;
}

const batchSize = 500;

/** 6 bytes as `keyIdOf` writes them. */
const idOf = (column: Sql): Sql => sql`translate(encode(substring(${column} FOR 6), 'base64'), '+/', '-_')`;

const counted = (kind: SealedCount['kind'], column: Sql, rows: Sql): Sql =>
  sql`SELECT ${kind}::text AS kind, ${idOf(column)} AS key, count(*)::int AS count FROM ${rows} GROUP BY 2`;

/** Shares that have ended need no key. */
const usableShares = sql`ofp_share WHERE sealed IS NOT NULL AND status <> 'revoked'
  AND (expires_at IS NULL OR expires_at > now())`;

export const sealedRepo = (db: ReadDb) => ({
  /** Ids of all keys that have encrypted something, perhaps including some without values. */
  keys: (): Promise<string[]> => db.values<string>(sql`SELECT id FROM sealing_key`),

  /** By kind and key; reads every account. */
  counts: (): Promise<SealedCount[]> =>
    db.any<SealedCount>(sql`
      ${counted('API keys', sql`api_key_sealed`, sql`app_user WHERE api_key_sealed IS NOT NULL`)}
      UNION ALL ${counted('PINs', sql`pin_sealed`, sql`app_user WHERE pin_sealed IS NOT NULL`)}
      UNION ALL ${counted('shares', sql`sealed`, usableShares)}
      UNION ALL ${counted('webhook secrets', sql`secret_sealed`, sql`webhook_endpoint WHERE disabled_at IS NULL`)}
      ORDER BY kind, key NULLS FIRST`),
});

export const sealedWrites = (tx: Tx) => ({
  /** Called before the first value is encrypted with the key. */
  noteKey: (id: string): Promise<number> =>
    tx.run(sql`INSERT INTO sealing_key (id) VALUES (${id}) ON CONFLICT DO NOTHING`),

  forgetKeys: (ids: readonly string[]): Promise<number> =>
    tx.run(sql`DELETE FROM sealing_key WHERE id = ANY (${[...ids]}::text[])`),

  /** A batch of rows behind the id `after` with values that do not begin with the id of the key `except`, locked. */
  sealedOtherwise: (
    kind: SealedKind,
    { after, except }: { after: number; except: Buffer },
  ): Promise<SealedRow[]> => {
    const { table, columns, others } = sealed[kind];
    const isOther = columns.reduce(
      (some, column) => sql`${some} OR substring(${column} FOR 6) <> ${except}::bytea`,
      sql`false`,
    );
    return tx.any<SealedRow>(sql`
      SELECT ${columns.reduce((all, column) => sql`${all}, ${column}`, others)} FROM ${table}
      WHERE id > ${after} AND (${isOther}) ORDER BY id LIMIT ${batchSize} FOR NO KEY UPDATE`);
  },

  set: (kind: SealedKind, id: number, values: object): Promise<number> =>
    tx.run(sql`UPDATE ${sealed[kind].table} SET ${setOf(values)} WHERE id = ${id}`),
});
