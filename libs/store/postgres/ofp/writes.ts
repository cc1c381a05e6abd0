import type { OfpVersion } from '#domain/ofp/identity.ts';
import type { StoredProfile } from '#domain/ofp/owner-profile.ts';
import type { OfpFacts, OfpSource } from '#domain/ofp/summary.ts';
import { isExpected, sql } from '../sql.ts';
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

const insertRevision = (tx: Tx, id: string, revision: number, draft: OfpDraft, now: Date): Promise<number> =>
  tx.run(sql`
    INSERT INTO ofp_revision (ofp_id, revision, generated_at, imported_at, planned, normalized, original)
    VALUES (${id}, ${revision}, ${draft.generatedAt}, ${now}, ${draft.planned}, ${draft.normalized},
      ${draft.original})`);

const profileText = ({ ownerProfile }: OfpDraft): string | null =>
  ownerProfile && JSON.stringify(ownerProfile);

export const ofpWrites = (tx: Tx) => ({
  /** Imports of one user take turns, so that a plan is not stored twice. False if the user no longer exists. */
  lockOwner: (userId: number): Promise<boolean> =>
    tx.exists(sql`SELECT 1 AS found FROM app_user WHERE id = ${userId} FOR NO KEY UPDATE`),

  insert: async (id: string, userId: number, draft: OfpDraft, now: Date): Promise<void> => {
    await tx.run(sql`
      INSERT INTO ofp (id, user_id, name, source, planner_request_id, planner_sequence_id, planner_static_id,
        content_hash, generated_at, facts, created_at, imported_at, expires_at, owner_profile)
      VALUES (${id}, ${userId}, ${draft.name}, ${draft.source}, ${draft.requestId}, ${draft.sequenceId},
        ${draft.staticId}, ${draft.contentHash}, ${draft.generatedAt}, ${JSON.stringify(draft.facts)}, ${now},
        ${now}, ${draft.expiresAt}, ${profileText(draft)})`);
    await insertRevision(tx, id, 1, draft, now);
  },

  /** Stores a new revision; of the earlier ones, `keptRevisions` remain. */
  replace: async (id: string, draft: OfpDraft, now: Date): Promise<void> => {
    const revision = await tx.value<number>(sql`
      UPDATE ofp SET name = ${draft.name}, source = ${draft.source}, planner_request_id = ${draft.requestId},
        planner_sequence_id = ${draft.sequenceId}, planner_static_id = ${draft.staticId},
        content_hash = ${draft.contentHash}, generated_at = ${draft.generatedAt},
        facts = ${JSON.stringify(draft.facts)}, revision = revision + 1, imported_at = ${now},
        expires_at = ${draft.expiresAt}, owner_profile = ${profileText(draft)}
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
