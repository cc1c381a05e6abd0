import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';
import { packText, unpackText } from './bodies.ts';
import type { Codec } from './bodies.ts';
import type { LogDay, SharedText } from './row.ts';

/** Texts per statement of the sweep. */
export const textBatch = 200;

export const logTextRepo = (db: ReadDb) => ({
  byDigest: async (digest: Buffer): Promise<string | null> => {
    const found = await db.maybe<{ codec: Codec; content: Buffer }>(sql`
      SELECT codec, content FROM request_log_text WHERE digest = ${digest}`);
    return found ? unpackText(found.codec, found.content) : null;
  },
});

export const logTextWrites = (tx: Tx) => ({
  /** Stores texts that are not there, and that rows of this day refer to them. */
  share: async ({ day, isCalculation }: LogDay, shared: readonly SharedText[]): Promise<void> => {
    // In one order everywhere, so that two processes cannot wait for each other.
    const texts = [...new Map(shared.map((each) => [each.digest.toString('hex'), each])).entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, each]) => each);
    if (texts.length === 0) return;
    const fresh = await tx.any<{ digest: Buffer; isStored: boolean }>(sql`
      SELECT digest, EXISTS (SELECT 1 FROM request_log_text t WHERE t.digest = given.digest) AS "isStored"
      FROM unnest(${texts.map(({ digest }) => digest)}::bytea[]) AS given (digest)
      WHERE NOT EXISTS (SELECT 1 FROM request_log_text_use u
        WHERE u.day = ${day}::date AND u.is_calculation = ${isCalculation} AND u.digest = given.digest)`);
    if (fresh.length === 0) return;
    const missing = texts.filter(({ digest }) =>
      fresh.some((each) => !each.isStored && each.digest.equals(digest)),
    );
    // Together: answers of many users are many texts, and one statement for each would keep the log behind its calls.
    const packed = await Promise.all(missing.map(({ text }) => packText(text)));
    await tx.run(sql`
      INSERT INTO request_log_text (digest, codec, content)
      SELECT digest, 'zstd', content
      FROM unnest(${missing.map(({ digest }) => digest)}::bytea[], ${packed}::bytea[]) AS t (digest, content)
      ORDER BY digest
      ON CONFLICT DO NOTHING`);
    // Fails when the sweep has just deleted a text; then the batch is repeated and stores it.
    await tx.run(sql`
      INSERT INTO request_log_text_use (day, is_calculation, digest)
      SELECT ${day}::date, ${isCalculation}, digest FROM unnest(${fresh.map(({ digest }) => digest)}::bytea[]) AS t (digest)
      ORDER BY digest
      ON CONFLICT DO NOTHING`);
  },

  /** Deletes at most one batch of texts to which no day refers; returns their number. */
  deleteUnused: (): Promise<number> =>
    tx.run(sql`
      DELETE FROM request_log_text WHERE digest IN (
        SELECT t.digest FROM request_log_text t
        WHERE NOT EXISTS (SELECT 1 FROM request_log_text_use u WHERE u.digest = t.digest) LIMIT ${textBatch})`),
});
