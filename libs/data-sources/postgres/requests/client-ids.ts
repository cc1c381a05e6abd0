/** Ids that clients give to what they create. */
import type { CreatedKind } from '#domain/fields/client-id.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

/** So long after the deletion of a row a repeat of its creation is still recognised. */
export const deletedClientIdDays = 90;

export interface Creation {
  userId: number;
  kind: CreatedKind;
  clientId: string;
}

export class CreatedMeanwhileError extends Error {
  override name = 'CreatedMeanwhileError';
}

/** Of two calls with the same id at the same time the other one has committed. */
export const isCreatedMeanwhile = (error: unknown): boolean =>
  error instanceof Error &&
  (error instanceof CreatedMeanwhileError ||
    ('constraint' in error && error.constraint === 'client_id_pkey') ||
    isCreatedMeanwhile(error.cause));

export const clientIdRepo = (db: ReadDb) => ({
  /** The row that was created with this id; null: none. */
  find: ({ userId, kind, clientId }: Creation): Promise<{ rowId: string; isGone: boolean } | null> =>
    db.maybe<{ rowId: string; isGone: boolean }>(sql`
      SELECT row_id AS "rowId", gone_at IS NOT NULL AS "isGone" FROM client_id
      WHERE user_id = ${userId} AND kind = ${kind} AND client_id = ${clientId}`),
});

export const clientIdWrites = (tx: Tx) => ({
  /**
   * In the transaction of the creation. A row keeps the last id that it was given. Waits for another call with this id, and
   * throws once that has committed (`isCreatedMeanwhile`).
   */
  keep: async ({ userId, kind, clientId }: Creation, rowId: string): Promise<void> => {
    const kept = await tx.run(sql`
      INSERT INTO client_id AS known (user_id, kind, client_id, row_id)
      VALUES (${userId}, ${kind}, ${clientId}, ${rowId})
      ON CONFLICT ON CONSTRAINT client_id_row DO UPDATE SET user_id = excluded.user_id, client_id = excluded.client_id,
        gone_at = NULL
      WHERE (known.user_id, known.client_id) <> (excluded.user_id, excluded.client_id)`);
    if (kept === 0) throw new CreatedMeanwhileError('the row has this id already');
  },
});
