import type { OfpVersion } from '#domain/ofp/identity.ts';
import type { StoredProfile } from '#domain/ofp/owner-profile.ts';
import type { OfpFacts, OfpSource } from '#domain/ofp/summary.ts';
import { isExpected, insertOf, setOf, sql } from '../sql.ts';
import type { Tx } from '../sql.ts';

/** The stored form of an imported plan. */
export interface OfpDraft extends OfpVersion {
  name: string;
  source: OfpSource;
  sequenceId: string | null;
  facts: OfpFacts;
  ownerProfile: StoredProfile | null;
  /** JSON texts. */
  planned: string;
  normalized: string;
  original: string;
  expiresAt: Date;
}

/** Replaced documents that are kept with a plan. */
const keptRevisions = 3;

const insertRevision = (
  tx: Tx,
  ofpId: string,
  revision: number,
  { generatedAt, planned, normalized, original }: OfpDraft,
  importedAt: Date,
): Promise<number> =>
  tx.run(
    insertOf('ofp_revision', { ofpId, revision, generatedAt, importedAt, planned, normalized, original }),
  );

const rowOf = (draft: OfpDraft, importedAt: Date) => ({
  name: draft.name,
  source: draft.source,
  plannerRequestId: draft.requestId,
  plannerSequenceId: draft.sequenceId,
  plannerStaticId: draft.staticId,
  contentHash: draft.contentHash,
  generatedAt: draft.generatedAt,
  facts: JSON.stringify(draft.facts),
  importedAt,
  expiresAt: draft.expiresAt,
  ownerProfile: draft.ownerProfile && JSON.stringify(draft.ownerProfile),
});

export const ofpWrites = (tx: Tx) => ({
  /** Imports of one user take turns, so that a plan is not stored twice. False if the user no longer exists. */
  lockOwner: (userId: number): Promise<boolean> =>
    tx.exists(sql`SELECT 1 AS found FROM app_user WHERE id = ${userId} FOR NO KEY UPDATE`),

  insert: async (id: string, userId: number, draft: OfpDraft, now: Date): Promise<void> => {
    await tx.run(insertOf('ofp', { id, userId, createdAt: now, ...rowOf(draft, now) }));
    await insertRevision(tx, id, 1, draft, now);
  },

  /** Stores a new revision; of the earlier ones, `keptRevisions` remain. */
  replace: async (id: string, draft: OfpDraft, now: Date): Promise<void> => {
    const revision = await tx.value<number>(sql`
      UPDATE ofp SET ${setOf(rowOf(draft, now))}, revision = revision + 1
      WHERE id = ${id} RETURNING revision`);
    await insertRevision(tx, id, revision, draft, now);
    await tx.run(
      sql`DELETE FROM ofp_revision WHERE ofp_id = ${id} AND revision < ${revision - keptRevisions}`,
    );
  },

  rename: (id: string, name: string): Promise<number> =>
    tx.run(sql`UPDATE ofp SET name = ${name} WHERE id = ${id}`),

  /** Only for the owner; 0 for other users, or when another revision is stored. */
  delete: (id: string, userId: number, expectedVersion: number | undefined): Promise<number> =>
    tx.run(sql`DELETE FROM ofp WHERE id = ${id} AND user_id = ${userId} AND ${isExpected(expectedVersion)}`),

  /**
   * Counts a fetch from the planner unless the last one is later than `before`; null when counted, otherwise the time
   * of the last one.
   */
  countFetch: async (userId: number, before: Date, now: Date): Promise<Date | null> => {
    const counted = await tx.run(sql`
      INSERT INTO ofp_fetch AS known (user_id, fetched_at) VALUES (${userId}, ${now})
      ON CONFLICT (user_id) DO UPDATE SET fetched_at = excluded.fetched_at
      WHERE known.fetched_at <= ${before} OR known.fetched_at > excluded.fetched_at`);
    if (counted > 0) return null;
    return tx.value<Date>(sql`SELECT fetched_at FROM ofp_fetch WHERE user_id = ${userId}`);
  },
});
