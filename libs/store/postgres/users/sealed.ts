/** Everything that is stored sealed (libs/store/auth/sealing.ts), by kind, for its inspection and its renewal. */
import type { SealedApiKey } from '../../auth/api-keys.ts';
import type { SealedShare } from '../../auth/share-secrets.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Sql, Tx } from '../sql.ts';

export interface SealedCount {
  kind: 'API keys' | 'PINs' | 'shares' | 'webhook secrets';
  /** Id of the key as `keyIdOf`. */
  key: string;
  count: number;
}

export interface StoredAccountSecrets {
  id: number;
  apiKeySealed: Buffer | null;
  pinSealed: Buffer | null;
}

export interface StoredShareSecrets {
  id: number;
  tokenHash: Buffer;
  sealed: Buffer | null;
}

export interface StoredWebhookSecrets {
  id: number;
  sealed: Buffer;
  previous: Buffer | null;
}

/** Where a batch begins, and which values it leaves out: those that begin with the id of this key. */
interface SealedBatch {
  after: number;
  except: Buffer;
}

const batchSize = 500;

/** 6 bytes as `keyIdOf` writes them. */
const idOf = (column: Sql): Sql => sql`translate(encode(substring(${column} FOR 6), 'base64'), '+/', '-_')`;

const counted = (kind: SealedCount['kind'], column: Sql, rows: Sql): Sql =>
  sql`SELECT ${kind}::text AS kind, ${idOf(column)} AS key, count(*)::int AS count FROM ${rows} GROUP BY 2`;

/** A share that has ended needs no key. */
const usableShares = sql`ofp_share WHERE sealed IS NOT NULL AND status <> 'revoked'
  AND (expires_at IS NULL OR expires_at > now())`;

export const sealedRepo = (db: ReadDb) => ({
  /** Ids of all keys that have sealed something, perhaps also of some that no longer have. */
  keys: async (): Promise<string[]> =>
    (await db.any<{ id: string }>(sql`SELECT id FROM sealing_key`)).map(({ id }) => id),

  /** By kind and key; reads every account. */
  counts: (): Promise<SealedCount[]> =>
    db.any<SealedCount & Record<string, unknown>>(sql`
      ${counted('API keys', sql`api_key_sealed`, sql`app_user WHERE api_key_sealed IS NOT NULL`)}
      UNION ALL ${counted('PINs', sql`pin_sealed`, sql`app_user WHERE pin_sealed IS NOT NULL`)}
      UNION ALL ${counted('shares', sql`sealed`, usableShares)}
      UNION ALL ${counted('webhook secrets', sql`secret_sealed`, sql`webhook_endpoint WHERE disabled_at IS NULL`)}
      ORDER BY kind, key NULLS FIRST`),
});

const isOther = (column: Sql, { except }: SealedBatch): Sql =>
  sql`substring(${column} FOR 6) <> ${except}::bytea`;

export const sealedWrites = (tx: Tx) => ({
  /** Before it seals anything. */
  noteKey: (id: string): Promise<number> =>
    tx.run(sql`INSERT INTO sealing_key (id) VALUES (${id}) ON CONFLICT DO NOTHING`),

  forgetKeys: (ids: readonly string[]): Promise<number> =>
    tx.run(sql`DELETE FROM sealing_key WHERE id = ANY (${[...ids]}::text[])`),

  /** Accounts whose secrets are sealed with another key, locked. */
  accounts: (batch: SealedBatch): Promise<StoredAccountSecrets[]> =>
    tx.any<StoredAccountSecrets & Record<string, unknown>>(sql`
      SELECT id, api_key_sealed, pin_sealed FROM app_user
      WHERE id > ${batch.after} AND (${isOther(sql`api_key_sealed`, batch)} OR ${isOther(sql`pin_sealed`, batch)})
      ORDER BY id LIMIT ${batchSize} FOR NO KEY UPDATE`),

  setAccount: (id: number, apiKey: SealedApiKey, pinSealed: Buffer | null): Promise<number> =>
    tx.run(sql`
      UPDATE app_user SET api_key_hash = ${apiKey.apiKeyHash}, api_key_sealed = ${apiKey.apiKeySealed},
        pin_sealed = ${pinSealed}
      WHERE id = ${id}`),

  /** Shares that are sealed with another key, locked. */
  shares: (batch: SealedBatch): Promise<StoredShareSecrets[]> =>
    tx.any<StoredShareSecrets & Record<string, unknown>>(sql`
      SELECT id, token_hash, sealed FROM ofp_share WHERE id > ${batch.after} AND ${isOther(sql`sealed`, batch)}
      ORDER BY id LIMIT ${batchSize} FOR NO KEY UPDATE`),

  /** Null: what only the lost key opens is forgotten; its link works by its hash. */
  setShare: (id: number, share: SealedShare | null): Promise<number> =>
    tx.run(sql`
      UPDATE ofp_share SET sealed = ${share?.sealed ?? null},
        code_hash = coalesce(${share?.codeHash ?? null}, code_hash)
      WHERE id = ${id}`),

  /** Endpoints whose secrets are sealed with another key, locked. */
  webhooks: (batch: SealedBatch): Promise<StoredWebhookSecrets[]> =>
    tx.any<StoredWebhookSecrets & Record<string, unknown>>(sql`
      SELECT id, secret_sealed AS sealed, previous_sealed AS previous FROM webhook_endpoint
      WHERE id > ${batch.after} AND (${isOther(sql`secret_sealed`, batch)} OR ${isOther(sql`previous_sealed`, batch)})
      ORDER BY id LIMIT ${batchSize} FOR NO KEY UPDATE`),

  setWebhook: (id: number, sealed: Buffer, previous: Buffer | null): Promise<number> =>
    tx.run(
      sql`UPDATE webhook_endpoint SET secret_sealed = ${sealed}, previous_sealed = ${previous} WHERE id = ${id}`,
    ),

  /** Its secret is lost: it gets nothing until it has a new one. */
  endWebhook: (id: number, sealed: Buffer, now: Date): Promise<number> =>
    tx.run(sql`
      UPDATE webhook_endpoint SET secret_sealed = ${sealed}, previous_sealed = NULL, disabled_at = coalesce(disabled_at, ${now})
      WHERE id = ${id}`),
});
